-- UUID v7 (RFC 9562 5.7): the log only grows, and random keys would scatter over its indexes.
CREATE FUNCTION "time_ordered_id"() RETURNS uuid LANGUAGE sql VOLATILE AS $$
  SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid
$$;

CREATE TABLE "webhook_subscriptions" (
    "id" UUID NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "active" BOOLEAN NOT NULL,
    "max_retries" INTEGER NOT NULL,
    "timeout_ms" INTEGER NOT NULL,
    "secret_sealed" TEXT NOT NULL,
    "previous_secret_sealed" TEXT,
    "previous_valid_until" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "notice_due_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_subscriptions_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "events" (
    "id" UUID NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "payload" TEXT NOT NULL,
    "request_id" TEXT,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "deliveries" (
    "id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "subscription_id" UUID NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "event_type" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "generation" INTEGER NOT NULL DEFAULT 0,
    "last_attempt" INTEGER NOT NULL DEFAULT 0,
    "requeued" BOOLEAN NOT NULL DEFAULT false,
    "last_attempt_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "delivery_attempts" (
    "id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "generation" INTEGER NOT NULL,
    "attempt" INTEGER NOT NULL,
    "outcome" TEXT NOT NULL,
    "response_status" INTEGER,
    "error" TEXT,
    "response_excerpt" TEXT,
    "duration_ms" INTEGER NOT NULL,
    "attempted_at" TIMESTAMPTZ(3) NOT NULL,
    "next_attempt_at" TIMESTAMPTZ(3),

    CONSTRAINT "delivery_attempts_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "outbox" (
    "seq" BIGSERIAL NOT NULL,
    "id" UUID NOT NULL,
    "topic" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "payload" TEXT NOT NULL,
    "headers" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("seq")
);

CREATE TABLE "email_templates" (
    "template_id" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "html" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "email_templates_pkey" PRIMARY KEY ("template_id", "owner")
);

CREATE TABLE "emails" (
    "id" UUID NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "to_email" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "template_id" TEXT NOT NULL,
    "template_data_sealed" TEXT,
    "idempotency_key" TEXT,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "send_attempts" INTEGER NOT NULL DEFAULT 0,
    "next_send_at" TIMESTAMPTZ(3),
    "provider" TEXT,
    "provider_message_id" TEXT,
    "queued_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "bounced_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    "bounce_reason" TEXT,
    "bounce_type" TEXT,
    "failure_reason" TEXT,

    CONSTRAINT "emails_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "email_events" (
    "provider" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "email_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "email_events_pkey" PRIMARY KEY ("provider", "id")
);

CREATE TABLE "email_suppressions" (
    "tenant_id" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "email_suppressions_pkey" PRIMARY KEY ("tenant_id", "address")
);

CREATE TABLE "email_rates" (
    "tenant_id" TEXT NOT NULL,
    "tokens" DOUBLE PRECISION NOT NULL,
    "refilled_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "email_rates_pkey" PRIMARY KEY ("tenant_id")
);

CREATE TABLE "inbox_messages" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "to" TEXT NOT NULL,
    "from" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "inbox_messages_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "webhook_subscriptions_tenant_id_created_at_id_idx" ON "webhook_subscriptions"("tenant_id", "created_at" DESC, "id" DESC);
CREATE INDEX "webhook_subscriptions_notice_due_at_idx" ON "webhook_subscriptions"("notice_due_at") WHERE "notice_due_at" IS NOT NULL;
CREATE UNIQUE INDEX "deliveries_event_id_subscription_id_key" ON "deliveries"("event_id", "subscription_id");
CREATE INDEX "deliveries_tenant_id_created_at_id_idx" ON "deliveries"("tenant_id", "created_at" DESC, "id" DESC);
CREATE INDEX "deliveries_subscription_id_created_at_id_idx" ON "deliveries"("subscription_id", "created_at" DESC, "id" DESC);
CREATE INDEX "deliveries_requeued_idx" ON "deliveries"("id") WHERE "requeued";
CREATE INDEX "delivery_attempts_delivery_id_generation_attempt_idx" ON "delivery_attempts"("delivery_id", "generation" DESC, "attempt" DESC);
CREATE UNIQUE INDEX "emails_tenant_id_idempotency_key_key" ON "emails"("tenant_id", "idempotency_key");
CREATE UNIQUE INDEX "emails_provider_provider_message_id_key" ON "emails"("provider", "provider_message_id");
CREATE INDEX "emails_tenant_id_queued_at_id_idx" ON "emails"("tenant_id", "queued_at" DESC, "id" DESC);
CREATE INDEX "emails_next_send_at_idx" ON "emails"("next_send_at") WHERE "status" = 'queued';
CREATE INDEX "inbox_messages_created_at_id_idx" ON "inbox_messages"("created_at" DESC, "id" DESC);

-- What the platform itself sends; the operator may register another text under the same id.
INSERT INTO "email_templates" ("template_id", "owner", "subject", "html", "text") VALUES (
  'webhook-disabled', 'platform', 'A webhook was switched off',
  '<p>Hello {{name}},</p><p>every delivery to {{url}} has failed since {{failing_since}}. The webhook subscription {{subscription_id}} is switched off and gets no more events. Once the receiver answers again, set it to active and recover what failed.</p>',
  E'Hello {{name}},\n\nevery delivery to {{url}} has failed since {{failing_since}}. The webhook subscription {{subscription_id}} is switched off and gets no more events. Once the receiver answers again, set it to active and recover what failed.\n'
);

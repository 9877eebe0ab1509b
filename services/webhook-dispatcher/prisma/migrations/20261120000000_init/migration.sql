CREATE TABLE "deliveries" (
    "delivery_id" UUID NOT NULL,
    "generation" INTEGER NOT NULL,
    "subscription_id" UUID NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "sealed_secrets" TEXT NOT NULL,
    "event_type" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "max_retries" INTEGER NOT NULL,
    "timeout_ms" INTEGER NOT NULL,
    "request_id" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lease_token" UUID,

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("delivery_id")
);

CREATE TABLE "lanes" (
    "subscription_id" UUID NOT NULL,
    "due_at" TIMESTAMPTZ(6) NOT NULL,
    "full" BOOLEAN NOT NULL DEFAULT false,
    "slow" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "lanes_pkey" PRIMARY KEY ("subscription_id")
);

CREATE TABLE "accepted_deliveries" (
    "delivery_id" UUID NOT NULL,
    "generation" INTEGER NOT NULL,
    "accepted_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accepted_deliveries_pkey" PRIMARY KEY ("delivery_id")
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

CREATE INDEX "deliveries_subscription_id_due_at_idx" ON "deliveries"("subscription_id", "due_at");
-- The attempts under way, at most ten rows of a subscription, however many wait.
CREATE INDEX "deliveries_leased_idx" ON "deliveries"("subscription_id", "due_at") WHERE "lease_token" IS NOT NULL;
CREATE INDEX "lanes_due_at_idx" ON "lanes"("due_at");
CREATE INDEX "lanes_quick_due_at_idx" ON "lanes"("due_at") WHERE NOT "slow";
CREATE INDEX "accepted_deliveries_accepted_at_idx" ON "accepted_deliveries"("accepted_at");

-- Rows come and go: cleaned up early, so that a scan meets few dead ones.
ALTER TABLE "deliveries" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.2);
ALTER TABLE "lanes" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

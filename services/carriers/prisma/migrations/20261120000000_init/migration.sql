CREATE TABLE "carriers" (
    "id" UUID NOT NULL,
    "owner" TEXT NOT NULL,
    "tenant_id" TEXT,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "carrier_type" TEXT NOT NULL,
    "sip_host" TEXT,
    "sip_port" INTEGER NOT NULL,
    "transport" TEXT NOT NULL,
    "auth_username" TEXT,
    "auth_password_sealed" TEXT,
    "max_channels" INTEGER NOT NULL,
    "priority" INTEGER NOT NULL,
    "weight" INTEGER NOT NULL,
    "health_check_url" TEXT,
    "config" TEXT,
    "status" TEXT NOT NULL DEFAULT 'active',
    "codec_preferences" TEXT[],
    "country_code" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "carriers_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "carrier_routes" (
    "id" UUID NOT NULL,
    "carrier_id" UUID NOT NULL,
    "prefix" TEXT NOT NULL,
    "priority" INTEGER NOT NULL,
    "rate" DECIMAL(14,6),
    "rate_currency" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "carrier_routes_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "carrier_health" (
    "carrier_id" UUID NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'unknown',
    "consecutive_failures" INTEGER NOT NULL DEFAULT 0,
    "next_probe_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_probe_at" TIMESTAMPTZ(3),

    CONSTRAINT "carrier_health_pkey" PRIMARY KEY ("carrier_id")
);

CREATE TABLE "health_probes" (
    "id" UUID NOT NULL,
    "carrier_id" UUID NOT NULL,
    "status" TEXT NOT NULL,
    "response_time_ms" INTEGER,
    "error_message" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "health_probes_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "carrier_channels" (
    "carrier_id" UUID NOT NULL,
    "active" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "carrier_channels_pkey" PRIMARY KEY ("carrier_id")
);

CREATE TABLE "channel_leases" (
    "id" UUID NOT NULL,
    "carrier_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "channel_leases_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "default_carrier_settings" (
    "account_id" UUID NOT NULL,
    "operator_enabled" BOOLEAN NOT NULL DEFAULT true,
    "account_enabled" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "default_carrier_settings_pkey" PRIMARY KEY ("account_id")
);

CREATE TABLE "routing_changes" (
    "seq" BIGSERIAL NOT NULL,
    "scope" TEXT NOT NULL,
    "txid" xid8 NOT NULL DEFAULT pg_current_xact_id(),
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "routing_changes_pkey" PRIMARY KEY ("seq")
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
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

CREATE UNIQUE INDEX "carriers_owner_code_key" ON "carriers"("owner", "code");
CREATE INDEX "carriers_owner_created_at_id_idx" ON "carriers"("owner", "created_at" DESC, "id" DESC);
CREATE UNIQUE INDEX "carrier_routes_carrier_id_prefix_key" ON "carrier_routes"("carrier_id", "prefix");
CREATE INDEX "carrier_health_next_probe_at_idx" ON "carrier_health"("next_probe_at");
CREATE INDEX "health_probes_carrier_id_created_at_id_idx" ON "health_probes"("carrier_id", "created_at" DESC, "id" DESC);
CREATE INDEX "health_probes_created_at_idx" ON "health_probes"("created_at");
CREATE INDEX "channel_leases_expires_at_idx" ON "channel_leases"("expires_at");
CREATE INDEX "routing_changes_txid_idx" ON "routing_changes"("txid");

ALTER TABLE "carrier_routes" ADD CONSTRAINT "carrier_routes_carrier_id_fkey" FOREIGN KEY ("carrier_id") REFERENCES "carriers"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "carrier_health" ADD CONSTRAINT "carrier_health_carrier_id_fkey" FOREIGN KEY ("carrier_id") REFERENCES "carriers"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "carrier_channels" ADD CONSTRAINT "carrier_channels_carrier_id_fkey" FOREIGN KEY ("carrier_id") REFERENCES "carriers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

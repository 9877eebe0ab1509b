-- How many partitions a topic was made with: the partition of a key must never change.
CREATE TABLE "topics" (
    "topic" TEXT NOT NULL,
    "partitions" INTEGER NOT NULL,

    CONSTRAINT "topics_pkey" PRIMARY KEY ("topic")
);

-- Publishing locks the row until it commits: offsets have no gaps and grow in the order of the commits.
CREATE TABLE "partitions" (
    "topic" TEXT NOT NULL,
    "partition" INTEGER NOT NULL,
    "next_offset" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "partitions_pkey" PRIMARY KEY ("topic", "partition")
) WITH (fillfactor = 50);

CREATE TABLE "event_log" (
    "topic" TEXT NOT NULL,
    "partition" INTEGER NOT NULL,
    "offset" BIGINT NOT NULL,
    "key" TEXT NOT NULL,
    "payload" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,
    "headers" TEXT NOT NULL,
    "published_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "event_log_pkey" PRIMARY KEY ("topic", "partition", "offset")
);

-- How far a group has come. The member that holds the lease works on the partition; leases of the dead run out.
CREATE TABLE "consumer_offsets" (
    "group" TEXT NOT NULL,
    "topic" TEXT NOT NULL,
    "partition" INTEGER NOT NULL,
    "next_offset" BIGINT NOT NULL DEFAULT 0,
    "member" UUID,
    "leased_until" TIMESTAMPTZ(3),
    "worked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "consumer_offsets_pkey" PRIMARY KEY ("group", "topic", "partition")
) WITH (fillfactor = 50);

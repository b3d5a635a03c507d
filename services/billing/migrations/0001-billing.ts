import { createIdempotencyTable } from '#libs/postgres/idempotency.js'
import type { Migration } from '#libs/postgres/migrate.js'

const stateTables = `
  CREATE TABLE account (
    id text COLLATE "C" PRIMARY KEY,
    revision bigint NOT NULL,
    customer_id text COLLATE "C" UNIQUE,
    email_key text COLLATE "C",
    plan text NOT NULL CHECK (plan IN ('free', 'pro')),
    plan_version bigint NOT NULL
  );

  CREATE TABLE subscription (
    account_id text COLLATE "C" PRIMARY KEY REFERENCES account (id),
    id text COLLATE "C" NOT NULL UNIQUE,
    customer_id text COLLATE "C" NOT NULL,
    status text NOT NULL,
    billing_interval text NOT NULL CHECK (billing_interval IN ('month', 'year')),
    started_at timestamptz NOT NULL,
    current_period_end timestamptz NOT NULL,
    cancel_at_period_end boolean NOT NULL,
    overdue_since timestamptz,
    live boolean NOT NULL,
    email_key text COLLATE "C",
    look_at timestamptz
  );
  CREATE UNIQUE INDEX subscription_of_email ON subscription (email_key) WHERE live;
  CREATE INDEX subscription_due ON subscription (look_at) WHERE look_at IS NOT NULL;

  CREATE TABLE checkout (
    account_id text COLLATE "C" PRIMARY KEY REFERENCES account (id),
    number bigint NOT NULL,
    state text NOT NULL CHECK (state IN ('starting', 'open', 'over')),
    billing_interval text NOT NULL CHECK (billing_interval IN ('month', 'year')),
    success_url text NOT NULL,
    cancel_url text NOT NULL,
    started_at timestamptz NOT NULL,
    id text COLLATE "C",
    url text,
    expires_at timestamptz,
    CHECK (state <> 'open' OR (id IS NOT NULL AND url IS NOT NULL AND expires_at IS NOT NULL))
  );

  CREATE TABLE unwanted_subscription (
    account_id text COLLATE "C" NOT NULL REFERENCES account (id),
    subscription_id text COLLATE "C" NOT NULL,
    due_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, subscription_id)
  );
  CREATE INDEX unwanted_subscription_due ON unwanted_subscription (due_at);`

const queueTables = `
  CREATE TABLE provider_event (
    id text COLLATE "C" PRIMARY KEY,
    type text NOT NULL,
    mode_matches boolean NOT NULL,
    customer_id text COLLATE "C",
    subscription_id text COLLATE "C",
    checkout_id text COLLATE "C",
    received_at timestamptz NOT NULL DEFAULT now(),
    due_at timestamptz DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0,
    finished_at timestamptz,
    outcome text
  );
  CREATE INDEX provider_event_due ON provider_event (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX provider_event_age ON provider_event (finished_at) WHERE finished_at IS NOT NULL;

  CREATE TABLE plan_delivery (
    account_id text COLLATE "C" NOT NULL,
    receiver text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    plan text NOT NULL CHECK (plan IN ('free', 'pro')),
    due_at timestamptz NOT NULL DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, receiver, version)
  );
  CREATE INDEX plan_delivery_due ON plan_delivery (due_at);

  ${createIdempotencyTable('account_id')}

  CREATE TABLE reconciliation (
    id integer PRIMARY KEY CHECK (id = 1),
    due_at timestamptz NOT NULL
  );
  INSERT INTO reconciliation (id, due_at) VALUES (1, now())`

/** All tables of billing. */
export const billing: Migration = {
  name: '0001-billing',
  async up(db) {
    await db.raw(stateTables)
    await db.raw(queueTables)
  },
}

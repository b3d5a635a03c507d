import type { Migration } from '#libs/postgres/migrate.js'

/**
 * The event outbox, and the views of shares. No foreign key refers to `share`: tests of the previous release
 * truncate that table, which Postgres refuses if another refers to it.
 */
export const eventDeliveries: Migration = {
  name: '0010-event-deliveries',
  async up(db) {
    await db.raw(`
      CREATE TABLE event_delivery (
        owner_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        type text NOT NULL,
        principal_kind text NOT NULL,
        principal_id text,
        subject_kind text NOT NULL,
        subject_id text NOT NULL,
        detail jsonb NOT NULL,
        created_at timestamptz NOT NULL,
        queued_at timestamptz NOT NULL DEFAULT now(),
        due_at timestamptz NOT NULL DEFAULT now(),
        attempts integer NOT NULL DEFAULT 0,
        PRIMARY KEY (owner_id, id)
      );
      CREATE INDEX event_delivery_due ON event_delivery (due_at);

      CREATE TABLE share_view (
        share_id text COLLATE "C" PRIMARY KEY,
        views bigint NOT NULL,
        told bigint NOT NULL DEFAULT 0, -- how many of the views an event has reported
        due_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX share_view_due ON share_view (due_at) WHERE views > told`)
  },
}

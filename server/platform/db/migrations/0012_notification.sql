-- What the bank tells a customer inside the app.

CREATE TABLE bank.notification (
  id          uuid PRIMARY KEY,
  customer_id uuid NOT NULL REFERENCES bank.customer,
  -- What it is about, in the bank's words; the screen picks an icon by it.
  kind        text NOT NULL,
  title       text NOT NULL,
  message     text NOT NULL,
  -- Business time, both.
  created_at  timestamptz NOT NULL,
  read_at     timestamptz
);
CREATE INDEX notification_customer ON bank.notification (customer_id, created_at DESC);
CREATE INDEX notification_unread ON bank.notification (customer_id) WHERE read_at IS NULL;
GRANT SELECT, INSERT, UPDATE (read_at) ON bank.notification TO alder_app;

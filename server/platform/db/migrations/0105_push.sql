-- Browsers that show notices while the app is not open (RFC 8030). What is sent to them is encrypted for them alone.
CREATE TABLE bank.push_subscription (
  id          uuid PRIMARY KEY,
  customer_id uuid NOT NULL REFERENCES bank.customer,
  -- The session it was last used in: no foreign key, for it goes when somebody ends that session, and not when the session
  -- runs out (docs/decisions/0094).
  session_id  uuid NOT NULL,
  -- The browser's address at its push service, and what a message to it is encrypted with (RFC 8291).
  endpoint    text NOT NULL UNIQUE CHECK (length(endpoint) <= 1000),
  p256dh      text NOT NULL,
  auth        text NOT NULL,
  -- Real time, all three.
  created_at  timestamptz NOT NULL,
  renewed_at  timestamptz NOT NULL,
  -- Failures without a success between them, and until when the bank leaves it alone.
  failures    integer NOT NULL DEFAULT 0,
  retry_at    timestamptz
);
CREATE INDEX push_subscription_customer ON bank.push_subscription (customer_id);
CREATE INDEX push_subscription_session ON bank.push_subscription (session_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON bank.push_subscription TO alder_app;

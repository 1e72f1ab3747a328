-- Signing up, signing in, and what a customer may know and decide about both.

ALTER TABLE bank.customer
  -- Real time, both; null while nothing shows that the address is theirs. Only a confirmed one names a customer.
  ADD COLUMN email_confirmed_at timestamptz,
  ADD COLUMN phone_confirmed_at timestamptz,
  ADD COLUMN date_of_birth date,
  ADD COLUMN address text,
  ADD COLUMN postcode text,
  -- Given by the owner's role alone (npm run reviewer).
  ADD COLUMN role text NOT NULL DEFAULT 'customer' CHECK (role IN ('customer', 'reviewer')),
  ADD COLUMN notifications boolean NOT NULL DEFAULT true,
  ADD COLUMN transaction_alerts boolean NOT NULL DEFAULT true,
  ADD COLUMN biometric_login boolean NOT NULL DEFAULT true,
  -- Business time.
  ADD COLUMN closed_at timestamptz;

UPDATE bank.customer
   SET email_confirmed_at = created_at,
       phone_confirmed_at = CASE WHEN phone IS NULL THEN NULL ELSE created_at END;

-- Whoever signs up with an address that is taken, or is not theirs, is told nothing and takes nothing away.
ALTER TABLE bank.customer DROP CONSTRAINT customer_email_key, DROP CONSTRAINT customer_phone_key;
CREATE UNIQUE INDEX customer_email_key ON bank.customer (email) WHERE email_confirmed_at IS NOT NULL;
CREATE UNIQUE INDEX customer_phone_key ON bank.customer (phone) WHERE phone_confirmed_at IS NOT NULL;

GRANT UPDATE (email_confirmed_at, phone_confirmed_at, date_of_birth, address, postcode, notifications,
              transaction_alerts, biometric_login, closed_at) ON bank.customer TO alder_app;

ALTER TABLE bank.session
  ADD COLUMN device text NOT NULL DEFAULT 'Unknown device',
  ADD COLUMN place text NOT NULL DEFAULT 'internet' CHECK (place IN ('this_computer', 'local_network', 'internet')),
  -- How the customer got in.
  ADD COLUMN method text NOT NULL DEFAULT 'visit',
  -- Real time at which the customer last showed who they are.
  ADD COLUMN proved_at timestamptz;
-- The token changes, and the session stays: at step-up.
GRANT UPDATE (token_hash, proved_at) ON bank.session TO alder_app;

-- Secrets that work once and not for long: links in mails, challenges, half-finished sign-ins. Real time.
CREATE TABLE bank.ticket (
  -- SHA-256 of the token, base64url.
  token_hash  text PRIMARY KEY CHECK (length(token_hash) = 43),
  kind        text NOT NULL,
  customer_id uuid REFERENCES bank.customer,
  content     jsonb NOT NULL,
  expires_at  timestamptz NOT NULL
);
CREATE INDEX ticket_customer ON bank.ticket (customer_id, kind);
CREATE INDEX ticket_expiry ON bank.ticket (expires_at);
GRANT SELECT, INSERT, DELETE, UPDATE (content) ON bank.ticket TO alder_app;

-- What names a visitor's own sample customer to a browser that comes back. Real time.
CREATE TABLE bank.visitor (
  token_hash  text PRIMARY KEY CHECK (length(token_hash) = 43),
  customer_id uuid NOT NULL REFERENCES bank.customer,
  created_at  timestamptz NOT NULL
);
CREATE INDEX visitor_customer ON bank.visitor (customer_id);
GRANT SELECT, INSERT, DELETE ON bank.visitor TO alder_app;

-- What happened to a customer's account, for them to read. Rows are only ever added. Real time.
CREATE TABLE bank.security_event (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer_id uuid NOT NULL REFERENCES bank.customer,
  kind        text NOT NULL,
  device      text NOT NULL,
  place       text NOT NULL,
  happened_at timestamptz NOT NULL
);
CREATE INDEX security_event_customer ON bank.security_event (customer_id, id DESC);
GRANT SELECT, INSERT ON bank.security_event TO alder_app;

CREATE FUNCTION bank.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER security_event_is_append_only
  BEFORE UPDATE OR DELETE OR TRUNCATE ON bank.security_event
  FOR EACH STATEMENT EXECUTE FUNCTION bank.refuse_change();

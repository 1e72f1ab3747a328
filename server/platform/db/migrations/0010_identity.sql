-- Who the customers are, and the sessions they are signed in with.

CREATE TABLE bank.customer (
  id                 uuid PRIMARY KEY,
  full_name          text NOT NULL,
  -- Kept as it is compared: lower case, without spaces.
  email              text NOT NULL UNIQUE CHECK (email = lower(email) AND email LIKE '_%@_%'),
  -- E.164.
  phone              text UNIQUE CHECK (phone ~ '^\+[1-9][0-9]{5,14}$'),
  password_hash      text,
  current_account_id bigint NOT NULL UNIQUE REFERENCES ledger.account,
  -- Business time.
  created_at         timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE (full_name, email, phone, password_hash) ON bank.customer TO alder_app;

-- All three times are real ones: the business clock has no say in who is signed in.
CREATE TABLE bank.session (
  -- SHA-256 of the token, base64url. The token itself is nowhere but in the customer's browser.
  token_hash   text PRIMARY KEY CHECK (length(token_hash) = 43),
  id           uuid NOT NULL UNIQUE,
  customer_id  uuid NOT NULL REFERENCES bank.customer,
  created_at   timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL,
  expires_at   timestamptz NOT NULL
);
CREATE INDEX session_customer ON bank.session (customer_id);
CREATE INDEX session_expiry ON bank.session (expires_at);
GRANT SELECT, INSERT, DELETE, UPDATE (last_used_at) ON bank.session TO alder_app;

-- Counters of rate-limiter-flexible, which expects these columns in this order. Unlogged: losing them in a crash
-- harms nobody.
CREATE UNLOGGED TABLE bank.rate_limit (
  key    varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
CREATE INDEX rate_limit_expiry ON bank.rate_limit (expire);
GRANT SELECT, INSERT, UPDATE, DELETE ON bank.rate_limit TO alder_app;

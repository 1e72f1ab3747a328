-- What customers show who they are with, besides a password: an authenticator app, recovery codes, passkeys. All times
-- are real ones.

CREATE TABLE bank.two_factor (
  customer_id uuid PRIMARY KEY REFERENCES bank.customer,
  -- What the authenticator app was given, sealed for this customer (server/sealed.ts).
  secret      bytea NOT NULL,
  -- The time step of the last code that was accepted: that one and those before it are worth nothing any more.
  last_step   bigint NOT NULL,
  created_at  timestamptz NOT NULL
);
GRANT SELECT, INSERT, DELETE, UPDATE (last_step) ON bank.two_factor TO alder_app;

CREATE TABLE bank.recovery_code (
  customer_id uuid NOT NULL REFERENCES bank.two_factor ON DELETE CASCADE,
  -- HMAC-SHA-256 of the code, base64url.
  digest      text NOT NULL CHECK (length(digest) = 43),
  PRIMARY KEY (customer_id, digest)
);
GRANT SELECT, INSERT, DELETE ON bank.recovery_code TO alder_app;

CREATE TABLE bank.passkey (
  id            uuid PRIMARY KEY,
  customer_id   uuid NOT NULL REFERENCES bank.customer,
  -- base64url; at most 1023 bytes (WebAuthn Level 3, section 4).
  credential_id text NOT NULL UNIQUE CHECK (length(credential_id) <= 1364),
  -- COSE.
  public_key    bytea NOT NULL,
  -- How often the device says it has signed; 0 for ever where it does not count.
  sign_count    bigint NOT NULL CHECK (sign_count >= 0),
  transports    text[] NOT NULL,
  -- Whether the device's maker keeps a copy of it.
  synced        boolean NOT NULL,
  name          text NOT NULL,
  created_at    timestamptz NOT NULL,
  last_used_at  timestamptz
);
CREATE INDEX passkey_customer ON bank.passkey (customer_id, created_at);
GRANT SELECT, INSERT, DELETE, UPDATE (sign_count, synced, last_used_at) ON bank.passkey TO alder_app;

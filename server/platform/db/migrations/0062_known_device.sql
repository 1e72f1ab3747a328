-- The browsers that a customer has signed in with, so that they hear of one that is new. Real time.
CREATE TABLE bank.known_device (
  customer_id   uuid NOT NULL REFERENCES bank.customer,
  -- SHA-256 of the token in the browser's cookie, base64url.
  token_hash    text NOT NULL CHECK (length(token_hash) = 43),
  -- 'Chrome on Android'.
  device        text NOT NULL,
  first_used_at timestamptz NOT NULL,
  last_used_at  timestamptz NOT NULL,
  PRIMARY KEY (customer_id, token_hash)
);
CREATE INDEX known_device_last_use ON bank.known_device (last_used_at);
GRANT SELECT, INSERT, DELETE, UPDATE (last_used_at) ON bank.known_device TO alder_app;

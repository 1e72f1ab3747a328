-- Text messages, and the codes in them by which customers show that a phone number is theirs.

CREATE TABLE bank.text_message (
  id          uuid PRIMARY KEY,
  -- Which was written first, where two are of the same moment.
  place       bigint GENERATED ALWAYS AS IDENTITY,
  -- Who finds it in the sample mailbox; who asked for it elsewhere.
  customer_id uuid NOT NULL REFERENCES bank.customer,
  -- E.164.
  recipient   text NOT NULL CHECK (recipient ~ '^\+[1-9][0-9]{5,14}$'),
  kind        text NOT NULL,
  -- What the words are completed with, sealed; null once nobody is to read it any more.
  params      bytea,
  -- Business time.
  created_at  timestamptz NOT NULL,
  -- Real times: after the first it is worth nothing and is not sent; the second is null until a gateway has taken it.
  expires_at  timestamptz NOT NULL,
  sent_at     timestamptz
);
CREATE INDEX text_message_customer ON bank.text_message (customer_id, place DESC);
CREATE INDEX text_message_expiry ON bank.text_message (expires_at);
GRANT SELECT, INSERT, DELETE, UPDATE (params, sent_at) ON bank.text_message TO alder_app;

-- The last code of each customer. Real time.
CREATE TABLE bank.phone_code (
  customer_id uuid PRIMARY KEY REFERENCES bank.customer,
  phone       text NOT NULL,
  -- HMAC-SHA-256 of the code, the number and the customer, base64url.
  digest      text NOT NULL CHECK (length(digest) = 43),
  tries       integer NOT NULL DEFAULT 0,
  expires_at  timestamptz NOT NULL
);
CREATE INDEX phone_code_expiry ON bank.phone_code (expires_at);
GRANT SELECT, INSERT, DELETE, UPDATE (phone, digest, tries, expires_at) ON bank.phone_code TO alder_app;

-- For what clears rows away that nobody needs any more.
CREATE INDEX visitor_age ON bank.visitor (created_at);
-- To lock a row, which nothing changes.
GRANT UPDATE (created_at) ON bank.visitor TO alder_app;
CREATE INDEX email_change_expiry ON bank.email_change (expires_at);

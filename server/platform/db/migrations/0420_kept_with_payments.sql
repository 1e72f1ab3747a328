-- What customers keep with their own transactions, for themselves alone: a note, and a picture of the receipt. Both go with the
-- customer. Times are business times.

CREATE TABLE bank.private_note (
  customer_id uuid NOT NULL REFERENCES bank.customer,
  -- As the API names the transaction; and the operation that it began with, by which a search finds it.
  line_id     text NOT NULL,
  origin_id   uuid NOT NULL,
  note        text NOT NULL,
  -- As it is searched: contract/folding.ts.
  folded      text NOT NULL,
  written_at  timestamptz NOT NULL,
  PRIMARY KEY (customer_id, line_id)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON bank.private_note TO alder_app;

-- A picture is never changed: another one takes its place.
CREATE TABLE bank.receipt_photo (
  id          uuid PRIMARY KEY,
  customer_id uuid NOT NULL REFERENCES bank.customer,
  line_id     text NOT NULL,
  -- Before encryption.
  size_bytes  integer NOT NULL CHECK (size_bytes > 0),
  added_at    timestamptz NOT NULL,
  -- AES-256-GCM: nonce, ciphertext and tag, as of bank.kyc_document.
  content     bytea NOT NULL,
  UNIQUE (customer_id, line_id)
);
-- Ciphertext does not get smaller.
ALTER TABLE bank.receipt_photo ALTER COLUMN content SET STORAGE EXTERNAL;
GRANT SELECT, INSERT, DELETE ON bank.receipt_photo TO alder_app;

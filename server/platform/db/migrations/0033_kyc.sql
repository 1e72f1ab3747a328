-- Who the customers are: their identity documents, what a reviewer decided of them, and what may move until then.
-- All times are real ones, but for those of bank.allowance_use.

-- Set while identity is verified. It travels with the customer, so that no payment has to ask.
ALTER TABLE bank.customer ADD COLUMN verified_at timestamptz;
GRANT UPDATE (verified_at) ON bank.customer TO alder_app;

-- The role that serves gives nobody a role, not even somebody new.
REVOKE INSERT ON bank.customer FROM alder_app;
GRANT INSERT (id, full_name, email, phone, password_hash, current_account_id, created_at, email_confirmed_at,
              phone_confirmed_at, date_of_birth, address, postcode, notifications, transaction_alerts,
              biometric_login) ON bank.customer TO alder_app;

-- One for each customer who has begun. Its id is what a reviewer knows it by.
CREATE TABLE bank.kyc_case (
  id           uuid PRIMARY KEY,
  customer_id  uuid NOT NULL UNIQUE REFERENCES bank.customer,
  status       text NOT NULL DEFAULT 'required'
               CHECK (status IN ('required', 'submitted', 'approved', 'rejected', 'again')),
  -- What a reviewer wrote, for the customer to read.
  reason       text,
  created_at   timestamptz NOT NULL,
  -- The last time it was handed in.
  submitted_at timestamptz,
  CONSTRAINT kyc_case_handed_in CHECK (status = 'required' OR submitted_at IS NOT NULL),
  CONSTRAINT kyc_case_reason CHECK ((status IN ('rejected', 'again')) = (reason IS NOT NULL))
);
CREATE INDEX kyc_case_queue ON bank.kyc_case (submitted_at, id) WHERE status = 'submitted';
GRANT SELECT, INSERT (id, customer_id, created_at), UPDATE (status, reason, submitted_at) ON bank.kyc_case TO alder_app;

-- The latest document of each step. A document is never changed: another one takes its place.
CREATE TABLE bank.kyc_document (
  id          uuid PRIMARY KEY,
  customer_id uuid NOT NULL REFERENCES bank.customer,
  step        text NOT NULL CHECK (step IN ('id', 'selfie', 'address')),
  type        text NOT NULL,
  media_type  text NOT NULL,
  -- Before encryption.
  size_bytes  integer NOT NULL CHECK (size_bytes > 0),
  uploaded_at timestamptz NOT NULL,
  -- AES-256-GCM: nonce, ciphertext and tag. The key comes from the bank's secret and is in no table.
  content     bytea NOT NULL,
  UNIQUE (customer_id, step)
);
-- Ciphertext does not get smaller.
ALTER TABLE bank.kyc_document ALTER COLUMN content SET STORAGE EXTERNAL;
GRANT SELECT, INSERT, DELETE ON bank.kyc_document TO alder_app;

-- What reviewers did: every document they opened and every decision. Rows are only ever added.
CREATE TABLE bank.kyc_review (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  case_id     uuid NOT NULL REFERENCES bank.kyc_case,
  -- Null where the bank itself decided, at once.
  reviewer_id uuid REFERENCES bank.customer,
  act         text NOT NULL CHECK (act IN ('open', 'approve', 'reject', 'again')),
  -- Not a reference: the document may be replaced or removed, and the line stays.
  document_id uuid,
  reason      text,
  acted_at    timestamptz NOT NULL,
  CONSTRAINT kyc_review_opens_a_document CHECK ((act = 'open') = (document_id IS NOT NULL))
);
CREATE INDEX kyc_review_case ON bank.kyc_review (case_id, id);
GRANT SELECT, INSERT ON bank.kyc_review TO alder_app;
CREATE TRIGGER kyc_review_is_append_only
  BEFORE UPDATE OR DELETE OR TRUNCATE ON bank.kyc_review
  FOR EACH STATEMENT EXECUTE FUNCTION bank.refuse_change();

-- What an unverified customer has moved of late, by the operation that moved it. Business time.
CREATE TABLE bank.allowance_use (
  operation_id uuid PRIMARY KEY,
  customer_id  uuid NOT NULL REFERENCES bank.customer,
  direction    text NOT NULL CHECK (direction IN ('in', 'out')),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  used_at      timestamptz NOT NULL
);
CREATE INDEX allowance_use_customer ON bank.allowance_use (customer_id, direction, used_at);
GRANT SELECT, INSERT, DELETE ON bank.allowance_use TO alder_app;

-- Loans. What is owed is in the ledger: each loan has an account for its principal, one for its interest and one for its
-- fees, and what the customer owes is minus their balances. Times are business times, dates the bank's days.

-- An application, how it was decided, and the offer that it became.
CREATE TABLE bank.loan_application (
  id           uuid PRIMARY KEY,
  customer_id  uuid NOT NULL REFERENCES bank.customer,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  months       smallint NOT NULL CHECK (months > 0),
  apr_bps      integer NOT NULL CHECK (apr_bps > 0),
  status       text NOT NULL DEFAULT 'pending'
               CHECK (status IN ('pending', 'offered', 'refused', 'accepted', 'withdrawn', 'expired')),
  created_at   timestamptz NOT NULL,
  decided_at   timestamptz,
  score        smallint,
  limit_minor  bigint,
  -- Of a refusal: what counted most (contract/loans.ts).
  reasons      jsonb,
  expires_at   timestamptz,
  CONSTRAINT loan_application_decided CHECK (decided_at IS NULL OR num_nulls(score, limit_minor, reasons) = 0),
  CONSTRAINT loan_application_offered CHECK (status <> 'offered' OR expires_at IS NOT NULL)
);
CREATE UNIQUE INDEX loan_application_open ON bank.loan_application (customer_id) WHERE status IN ('pending', 'offered');
CREATE INDEX loan_application_customer ON bank.loan_application (customer_id, created_at);
CREATE INDEX loan_application_expires ON bank.loan_application (expires_at) WHERE status = 'offered';
GRANT SELECT, INSERT ON bank.loan_application TO alder_app;
GRANT UPDATE (status, decided_at, score, limit_minor, reasons, expires_at) ON bank.loan_application TO alder_app;

CREATE TABLE bank.loan (
  id                   uuid PRIMARY KEY,
  application_id       uuid NOT NULL UNIQUE REFERENCES bank.loan_application,
  customer_id          uuid NOT NULL REFERENCES bank.customer,
  principal_account_id bigint NOT NULL UNIQUE,
  interest_account_id  bigint NOT NULL UNIQUE,
  fees_account_id      bigint NOT NULL UNIQUE,
  amount_minor         bigint NOT NULL CHECK (amount_minor > 0),
  months               smallint NOT NULL CHECK (months > 0),
  apr_bps              integer NOT NULL CHECK (apr_bps > 0),
  -- Interest for a day on the principal, in 10^-12.
  daily_rate_e12       bigint NOT NULL CHECK (daily_rate_e12 > 0),
  instalment_minor     bigint NOT NULL CHECK (instalment_minor > 0),
  disbursed_at         timestamptz NOT NULL,
  disbursed_on         date NOT NULL,
  status               text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'late', 'repaid', 'withdrawn')),
  -- Up to which day interest is accrued, that day not included, and what of it is below a cent, in 10^-12 cents.
  accrued_to           date NOT NULL,
  remainder_e12        bigint NOT NULL DEFAULT 0 CHECK (remainder_e12 >= 0 AND remainder_e12 < 1000000000000),
  -- The last day for which an instalment was asked for and there was too little money.
  tried_on             date,
  -- The latest pause: the day on which it was asked for, and the first day on which an instalment is due again.
  paused_on            date,
  paused_until         date,
  -- By how many months all pauses together have put the instalments off.
  paused_months        smallint NOT NULL DEFAULT 0,
  closed_at            timestamptz,
  CONSTRAINT loan_closed CHECK ((closed_at IS NULL) = (status IN ('active', 'late')))
);
CREATE UNIQUE INDEX loan_open ON bank.loan (customer_id) WHERE closed_at IS NULL;
CREATE INDEX loan_customer ON bank.loan (customer_id, disbursed_at);
CREATE INDEX loan_accruing ON bank.loan (accrued_to, id) WHERE closed_at IS NULL;
GRANT SELECT, INSERT ON bank.loan TO alder_app;
GRANT UPDATE (status, accrued_to, remainder_e12, tried_on, paused_on, paused_until, paused_months, closed_at) ON bank.loan TO alder_app;

-- The instalments that are still to be paid.
CREATE TABLE bank.loan_instalment (
  loan_id     uuid NOT NULL REFERENCES bank.loan,
  number      smallint NOT NULL CHECK (number > 0),
  due_on      date NOT NULL,
  -- What extra payments have paid of it while it was overdue.
  paid_minor  bigint NOT NULL DEFAULT 0 CHECK (paid_minor >= 0),
  -- The day on which the bank first found too little money for it.
  short_since date,
  late_fee    boolean NOT NULL DEFAULT false,
  PRIMARY KEY (loan_id, number)
);
GRANT SELECT, INSERT, DELETE ON bank.loan_instalment TO alder_app;
GRANT UPDATE (due_on, paid_minor, short_since, late_fee) ON bank.loan_instalment TO alder_app;

-- What was paid. The id is that of the ledger's operation.
CREATE TABLE bank.loan_payment (
  id              uuid PRIMARY KEY,
  loan_id         uuid NOT NULL REFERENCES bank.loan,
  kind            text NOT NULL CHECK (kind IN ('instalment', 'extra', 'early_settlement', 'withdrawal')),
  -- The day up to which interest was counted for it.
  paid_on         date NOT NULL,
  booked_at       timestamptz NOT NULL,
  principal_minor bigint NOT NULL CHECK (principal_minor >= 0),
  interest_minor  bigint NOT NULL CHECK (interest_minor >= 0),
  fees_minor      bigint NOT NULL CHECK (fees_minor >= 0),
  place           bigint GENERATED ALWAYS AS IDENTITY
);
CREATE INDEX loan_payment_loan ON bank.loan_payment (loan_id, place);
GRANT SELECT, INSERT ON bank.loan_payment TO alder_app;

-- What settles a loan on a day, as the customer was told.
CREATE TABLE bank.loan_quote (
  id              uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  loan_id         uuid NOT NULL REFERENCES bank.loan,
  valid_on        date NOT NULL,
  principal_minor bigint NOT NULL,
  interest_minor  bigint NOT NULL,
  fees_minor      bigint NOT NULL,
  UNIQUE (loan_id, valid_on, principal_minor, interest_minor, fees_minor)
);
GRANT SELECT, INSERT ON bank.loan_quote TO alder_app;

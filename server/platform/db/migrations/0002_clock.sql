-- The business clock: what the bank's date was (business_epoch) at a moment of real time (real_epoch).
-- One row, shared by every server on this database; without a row, business time is real time.

CREATE TABLE bank.clock (
  one_row        boolean PRIMARY KEY DEFAULT true CHECK (one_row),
  real_epoch     timestamptz NOT NULL,
  business_epoch timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON bank.clock TO alder_app;

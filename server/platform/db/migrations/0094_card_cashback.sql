-- Up to which calendar month (UTC, business time) a customer has their cashback, and what of refunds is still to be set
-- against payments of the months after it, minor units of USD.
CREATE TABLE bank.cashback (
  customer_id        uuid PRIMARY KEY REFERENCES bank.customer,
  paid_before        date NOT NULL,
  refunds_left_minor bigint NOT NULL DEFAULT 0 CHECK (refunds_left_minor >= 0)
);
CREATE INDEX cashback_due ON bank.cashback (paid_before, customer_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON bank.cashback TO alder_app;

-- Whoever has cards already begins with this month.
INSERT INTO bank.cashback (customer_id, paid_before)
  SELECT DISTINCT k.customer_id,
         (date_trunc('month', coalesce((SELECT business_epoch + (now() - real_epoch) FROM bank.clock), now()) AT TIME ZONE 'UTC'))::date
    FROM bank.card k JOIN bank.customer c ON c.id = k.customer_id WHERE c.closed_at IS NULL;

-- Single-use cards that are used and not yet ended.
CREATE INDEX card_used ON bank.card (id) WHERE kind = 'single_use' AND used_at IS NOT NULL AND status <> 'removed';

-- What an account paid by card and got back, by time: a month of it is read without the rest. 101 is the card scheme
-- (ledger/chart.ts).
CREATE INDEX transfer_by_card ON ledger.transfer (debit_account, booked_at) INCLUDE (amount_minor)
  WHERE credit_account = 101 AND amount_minor > 0;
CREATE INDEX transfer_card_refund ON ledger.transfer (credit_account, booked_at) INCLUDE (amount_minor)
  WHERE debit_account = 101 AND amount_minor > 0;

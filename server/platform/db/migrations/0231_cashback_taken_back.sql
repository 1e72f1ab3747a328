-- What a customer has been paid as cashback and has not had taken back, minor units of USD: no more of it is taken back.
-- 107 is what the bank spends on rewards (ledger/chart.ts).
ALTER TABLE bank.cashback ADD COLUMN earned_minor bigint NOT NULL DEFAULT 0 CHECK (earned_minor >= 0);
UPDATE bank.cashback b
   SET earned_minor = paid.minor
  FROM (SELECT c.id, sum(t.amount_minor) AS minor
          FROM ledger.transfer t JOIN bank.customer c ON c.current_account_id = t.credit_account
         WHERE t.debit_account = 107 AND t.label = 'card_cashback' GROUP BY c.id) paid
 WHERE paid.id = b.customer_id;

-- Below zero: refunds that cashback was taken back for already, to be set off when their month is counted.
ALTER TABLE bank.cashback DROP CONSTRAINT cashback_refunds_left_minor_check;

-- What an account paid and was paid, by payee and business day (UTC): the ledger's entries summed up once more, when
-- somebody reads them. It follows from the entries and can be made again from them at any time.
CREATE TABLE bank.payee_day (
  account_id    bigint NOT NULL,
  day           date NOT NULL,
  -- In lower case; '' for a line without a name.
  payee         text NOT NULL,
  -- '' for none.
  category      text NOT NULL,
  -- As the last of the day was spelled.
  name          text NOT NULL,
  payments      bigint NOT NULL,
  in_minor      bigint NOT NULL,
  out_minor     bigint NOT NULL,
  -- Which of the account's entries they are among.
  first_version bigint NOT NULL,
  last_version  bigint NOT NULL,
  PRIMARY KEY (account_id, day, payee, category)
);
CREATE INDEX payee_day_payee ON bank.payee_day (account_id, payee, day);

-- How far the entries of an account are summed up, and how far they were looked through for what is worth a notice.
CREATE TABLE bank.insight_account (
  account_id      bigint PRIMARY KEY,
  customer_id     uuid NOT NULL REFERENCES bank.customer,
  summed_version  bigint NOT NULL DEFAULT 0,
  watched_version bigint NOT NULL DEFAULT 0
);
CREATE INDEX insight_account_customer ON bank.insight_account (customer_id);

-- What a customer calls the payments to a payee, past and future, and single payments. The ledger's rows stay as they are.
CREATE TABLE bank.payee_category (
  customer_id uuid NOT NULL REFERENCES bank.customer,
  payee       text NOT NULL,
  category    text NOT NULL,
  PRIMARY KEY (customer_id, payee)
);
CREATE TABLE bank.line_category (
  customer_id   uuid NOT NULL REFERENCES bank.customer,
  line_id       text NOT NULL,
  payee         text NOT NULL,
  day           date NOT NULL,
  from_category text NOT NULL,
  category      text NOT NULL,
  -- US cents; below zero for a refund.
  spent_minor   bigint NOT NULL,
  PRIMARY KEY (customer_id, line_id)
);

-- The most that a customer wants to spend in a category each month, and what they were told of it.
CREATE TABLE bank.budget (
  customer_id uuid NOT NULL REFERENCES bank.customer,
  category    text NOT NULL,
  limit_minor bigint NOT NULL CHECK (limit_minor > 0),
  PRIMARY KEY (customer_id, category)
);
CREATE TABLE bank.budget_notice (
  customer_id uuid NOT NULL REFERENCES bank.customer,
  category    text NOT NULL,
  month       text NOT NULL,
  percent     bigint NOT NULL CHECK (percent IN (80, 100)),
  PRIMARY KEY (customer_id, category, month, percent)
);

-- The prices of recurring payments that a customer was told of.
CREATE TABLE bank.price_notice (
  customer_id  uuid NOT NULL REFERENCES bank.customer,
  payee        text NOT NULL,
  amount_minor bigint NOT NULL,
  paid_on      date NOT NULL,
  PRIMARY KEY (customer_id, payee, amount_minor, paid_on)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON bank.payee_day, bank.insight_account, bank.payee_category, bank.line_category,
  bank.budget, bank.budget_notice, bank.price_notice TO alder_app;

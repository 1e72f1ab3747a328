-- A budget counts from a month on, until another one of its category does; null ends it. When those of before were set is not
-- known, so they count for every month.
ALTER TABLE bank.budget
  ALTER COLUMN limit_minor DROP NOT NULL,
  ADD COLUMN from_month text NOT NULL DEFAULT '0001-01',
  DROP CONSTRAINT budget_pkey,
  ADD PRIMARY KEY (customer_id, category, from_month);
ALTER TABLE bank.budget ALTER COLUMN from_month DROP DEFAULT;

-- What is understood of a question is kept, so that the next one can go on with it. What a model wrote is shown no more: the
-- rules' own reply to each question is there.
ALTER TABLE bank.advisor_exchange
  DROP COLUMN prose,
  DROP COLUMN links,
  DROP COLUMN writes_until,
  -- As server/advisor/questions/selection.ts has them.
  ADD COLUMN asks jsonb NOT NULL DEFAULT '[]';

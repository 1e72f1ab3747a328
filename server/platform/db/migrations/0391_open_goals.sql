-- A customer's open goals. Without it, a plan that was made before there were statistics reads all open goals of the bank by
-- goal_accrued, which PostgreSQL believes to be few.
CREATE INDEX goal_open ON bank.goal (customer_id, place) WHERE closed_at IS NULL;

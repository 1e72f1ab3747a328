-- A card payment may come to more than was held for it, by a tip. What is booked of a hold is whole and one entry, so the
-- ledger lets a post go beyond its hold where the operation says so; the floor of the account holds as ever.
ALTER TABLE ledger.transfer
  DROP CONSTRAINT transfer_shape,
  ADD CONSTRAINT transfer_shape CHECK (CASE kind
    WHEN 'transfer' THEN amount_minor > 0 AND held_minor = 0 AND hold_id IS NULL
    WHEN 'hold' THEN amount_minor = 0 AND held_minor > 0 AND hold_id = operation_id
    WHEN 'post' THEN amount_minor > 0 AND held_minor < 0 AND hold_id IS NOT NULL
    WHEN 'void' THEN amount_minor = 0 AND held_minor < 0 AND hold_id IS NOT NULL
    ELSE false END);

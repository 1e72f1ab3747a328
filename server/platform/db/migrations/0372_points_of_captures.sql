-- The points of a card payment are given a moment after its commit, together with others', and by a sweep where the server died
-- before (server/card-scheme/points.ts). Captures of before this migration have a job of their own for that.

ALTER TABLE bank.card_capture
  -- Business time; null of captures from before.
  ADD COLUMN captured_at timestamptz;
CREATE UNIQUE INDEX card_capture_place ON bank.card_capture (place);

ALTER TABLE bank.points_sweep ADD COLUMN swept_captures bigint NOT NULL DEFAULT 0;
UPDATE bank.points_sweep SET swept_captures = coalesce((SELECT max(place) FROM bank.card_capture), 0);

-- A reviewer opens a case with a second factor, and each document they open is named for good.
ALTER TABLE bank.kyc_review
  DROP CONSTRAINT kyc_review_act_check,
  ADD CONSTRAINT kyc_review_act CHECK (act IN ('unlock', 'open', 'approve', 'reject', 'again')),
  -- Which of the reviewer's sessions may open the case's documents and decide it. Not a reference: the line stays.
  ADD COLUMN session_id uuid,
  ADD CONSTRAINT kyc_review_unlocks_for_a_session CHECK ((act = 'unlock') = (session_id IS NOT NULL)),
  -- What the document was: it may be replaced or removed. Null in lines from before it was written down.
  ADD COLUMN document_type text CHECK (document_type IS NULL OR act = 'open');

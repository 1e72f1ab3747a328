-- Who has left a group may be invited there again.
ALTER TABLE bank.bill_group_member DROP CONSTRAINT bill_group_member_group_id_address_key;
CREATE UNIQUE INDEX bill_group_member_address ON bank.bill_group_member (group_id, address) WHERE left_at IS NULL;

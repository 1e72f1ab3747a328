import { z } from 'zod'
import { notifyAll } from '#server/notifications/service.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { blockersOf, findCustomersByAddress } from '#server/requests/payers.ts'

/**
 * Notifies the invited people who are customers. The job runs after the response, so that the response time does not reveal to
 * the inviter which addresses belong to customers (docs/decisions/0271).
 */
export const notifyInvitedJob = defineJob({
  name: 'bills.tell_invited',
  payload: z.object({ memberIds: z.array(z.uuid()).min(1) }),
  work: (deps, { memberIds }) =>
    inTransaction(deps.db, async (trx) => {
      const invited = await trx
        .selectFrom('bank.bill_group_member as m')
        .innerJoin('bank.bill_group as g', 'g.id', 'm.group_id')
        .innerJoin('bank.customer as c', 'c.id', 'm.invited_by')
        .select(['m.address', 'm.invited_by', 'm.group_id', 'g.name as group_name', 'c.full_name'])
        .where('m.id', 'in', memberIds)
        .where('m.customer_id', 'is', null)
        .where('m.left_at', 'is', null)
        .execute()
      const [first] = invited
      if (!first) return
      const customers = await findCustomersByAddress(
        trx,
        invited.map(({ address }) => address),
      )
      const ids = [...new Set([...customers.values()].map(({ id }) => id))]
      const blockers = await blockersOf(trx, first.invited_by, ids)
      const { full_name: name, group_name: groupName, group_id: groupId } = first
      const notices = ids
        .filter((id) => !blockers.has(id))
        .map((customerId) => ({
          customerId,
          kind: 'bill_group_invited' as const,
          params: { name, groupName, groupId },
        }))
      if (notices.length > 0) await notifyAll(deps, trx, notices)
    }),
})

import { useLingui } from '@lingui/react/macro'
import { Trash2 } from 'lucide-react'
import type { GroupDetail } from '#contract/bills.ts'
import { useBusinessNow } from '#web/accounts/queries.ts'
import { removeGroupBill } from '#web/bills/queries.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Card, Section } from '#web/ui/screen.tsx'

/** Lists a group's bills, the latest first. */
export function GroupBills({ group }: { group: GroupDetail }) {
  const { t } = useLingui()
  if (group.bills.length === 0) return null
  return (
    <Section title={t`Bills`}>
      <Card>
        <ul className="divide-y divide-line">
          {group.bills.map((bill) => (
            <li key={bill.id} className="px-4">
              <GroupBill group={group} bill={bill} />
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  )
}

function GroupBill({ group, bill }: { group: GroupDetail; bill: GroupDetail['bills'][number] }) {
  const { t } = useLingui()
  const now = useBusinessNow()
  const { submit, busy } = useSubmission({
    send: removeGroupBill,
    loading: () => t`Removing the bill…`,
    success: () => ({ message: t`Bill removed` }),
  })
  const payer = group.members.find(({ id }) => id === bill.paidBy)
  const name = payer?.name ?? t`Someone who left`
  const [total, share] = [money(bill.totalMinor, bill.asset), money(bill.ownShareMinor, bill.asset)]
  const day = shortDay(bill.createdAt, now)
  const who = payer?.own ? t`You paid ${total}` : t`${name} paid ${total}`
  return (
    <div className="flex min-h-16 items-center gap-3 py-2.5">
      <span className="min-w-0 flex-1">
        <span dir="auto" className="line-clamp-2 font-medium rtl:text-right">
          {bill.description ?? t`Bill`}
        </span>
        <span className="block text-sm text-pretty text-ink-soft">
          {t({
            message: `${day} · ${who} · your share ${share}`,
            comment: "{day} is a day, {who} the person who paid a bill, {share} the reader's share",
          })}
        </span>
      </span>
      {payer?.own && (
        <IconButton
          icon={Trash2}
          label={t`Remove This Bill`}
          disabled={busy}
          onClick={() => void submit({ id: group.id, billId: bill.id })}
        />
      )}
    </div>
  )
}

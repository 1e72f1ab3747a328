import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from 'react-router'
import type { Bill } from '#contract/bills.ts'
import { cancelBill } from '#web/bills/queries.ts'
import { money } from '#web/i18n/formats.ts'
import { paths } from '#web/lib/paths.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { Money } from '#web/ui/money.tsx'
import { NamedAmount } from '#web/ui/named-amount.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { Card } from '#web/ui/screen.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { percentOf } from '#contract/money.ts'

/** Shows a bill, who has paid their share and who has not. */
export function BillSheet({ bill, onClose }: { bill: Bill | null; onClose: () => void }) {
  const { t } = useLingui()
  return (
    <Sheet
      open={bill !== null}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={bill?.description ?? t`Bill`}
      description={t`Each person's share, and its status`}
    >
      {bill && <BillView bill={bill} />}
    </Sheet>
  )
}

function BillView({ bill }: { bill: Bill }) {
  const { t } = useLingui()
  const requestedMinor = bill.totalMinor - bill.ownMinor
  const paid = money(bill.paidMinor, bill.asset)
  const asked = money(requestedMinor, bill.asset)
  return (
    <div className="flex flex-col gap-4">
      <div>
        <p className="pb-2 font-medium">
          {bill.status === 'settled' ? t`Settled: everyone has paid` : t`${paid} of ${asked} paid`}
        </p>
        <Progress label={t`Amount paid`} percent={percentOf(bill.paidMinor, requestedMinor)} />
      </div>
      <Card>
        <ul className="divide-y divide-line">
          {bill.shares.map((share) => (
            <li key={share.requestId}>
              <Share share={share} asset={bill.asset} />
            </li>
          ))}
          <li className="flex min-h-13 flex-wrap items-center justify-between gap-x-3 px-4 py-2.5 text-ink-soft">
            <Trans>Your share</Trans>
            <Money amountMinor={bill.ownMinor} asset={bill.asset} className="font-medium" />
          </li>
        </ul>
      </Card>
      {bill.status === 'open' && <TakeBack bill={bill} />}
    </div>
  )
}

function Share({ share, asset }: { share: Bill['shares'][number]; asset: Bill['asset'] }) {
  const { t } = useLingui()
  const paid = money(share.paidMinor, asset)
  const states: Record<typeof share.status, string> = {
    open: share.paidMinor > 0 ? t`${paid} paid so far` : t({ message: 'Not paid yet', context: 'share of a bill' }),
    paid: t({ message: 'Paid', context: 'share of a bill' }),
    declined: t({ message: 'Declined', context: 'share of a bill' }),
    cancelled: t({ message: 'Canceled', context: 'share of a bill' }),
    expired: t({ message: 'Expired', context: 'share of a bill' }),
  }
  return (
    <Link
      to={`${paths.request}?id=${share.requestId}`}
      className="@container block px-4 transition-colors -outline-offset-2 hover:bg-muted/60"
    >
      <span className="flex min-h-16 items-center gap-3 py-2.5">
        <Avatar initials={share.initials} name={share.name} className="!size-11 !text-sm @max-[12rem]:!hidden" />
        <span className="min-w-0 flex-1">
          <span className="block font-medium">
            <NamedAmount
              name={share.name}
              amount={<Money amountMinor={share.amountMinor} asset={asset} fit className="font-medium" />}
            />
          </span>
          <span className="block text-sm text-ink-soft">{states[share.status]}</span>
        </span>
      </span>
    </Link>
  )
}

/** Cancels the open requests of a bill. People who have not paid no longer have to. */
function TakeBack({ bill }: { bill: Bill }) {
  const { t } = useLingui()
  const { submit, busy } = useSubmission({
    send: cancelBill,
    loading: () => t`Canceling…`,
    success: () => ({ message: t`This bill is closed` }),
  })
  return (
    <Button variant="secondary" busy={busy} onClick={() => void submit(bill.id)}>
      <Trans>Cancel Unpaid Shares</Trans>
    </Button>
  )
}

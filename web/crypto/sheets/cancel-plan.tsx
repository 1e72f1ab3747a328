import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Order, RecurringBuy } from '#contract/crypto.ts'
import { COIN_NAMES } from '#contract/crypto-terms.ts'
import { reservedText, LimitOrderTitle, RecurringTitle } from '#web/crypto/plans.tsx'
import { cancelLimitOrder, stopRecurring } from '#web/crypto/queries.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/screen.tsx'

type EndProps = {
  what: ReactNode
  children: ReactNode
  yes: string
  no: string
  busy: boolean
  onYes: () => void
  onNo: () => void
}

function End({ what, children, yes, no, busy, onYes, onNo }: EndProps) {
  return (
    <div className="flex flex-col gap-4">
      <Card className="px-4 py-3.5">
        <p className="tabular font-medium">{what}</p>
      </Card>
      <p className="px-1 text-pretty text-ink-soft">{children}</p>
      <div className="flex flex-col gap-2">
        <Button variant="danger" busy={busy} onClick={onYes}>
          {yes}
        </Button>
        <Button variant="secondary" disabled={busy} onClick={onNo}>
          {no}
        </Button>
      </div>
    </div>
  )
}

export function CancelOrder({ order, onDone }: { order: Order; onDone: () => void }) {
  const { t } = useLingui()
  const held = reservedText(order)
  const { submit, busy } = useSubmission({
    send: ({ id }: { id: string }) => cancelLimitOrder(id),
    loading: () => t`Canceling…`,
    success: () => ({ message: t`Order canceled` }),
    outcome: () => ({ sent: t`The order was canceled`, notSent: t`The order stays open` }),
  })
  return (
    <End
      what={<LimitOrderTitle order={order} />}
      yes={t`Cancel Order`}
      no={t`Keep Order`}
      busy={busy}
      onYes={() => void submit({ id: order.id }).finally(onDone)}
      onNo={onDone}
    >
      {order.amountAsset === 'USD' ? (
        <Trans comment="{held} is an amount of money">
          You can spend the {held} set aside for it again right away.
        </Trans>
      ) : (
        <Trans comment="{held} is an amount of coins">You can sell the {held} set aside for it right away.</Trans>
      )}
    </End>
  )
}

export function StopRecurring({ plan, onDone }: { plan: RecurringBuy; onDone: () => void }) {
  const { t } = useLingui()
  const name = COIN_NAMES[plan.asset]
  const { submit, busy } = useSubmission({
    send: ({ id }: { id: string }) => stopRecurring(id),
    loading: () => t`Stopping…`,
    success: () => ({ message: t`Recurring buy stopped` }),
    outcome: () => ({ sent: t`It was stopped`, notSent: t`The recurring buy continues` }),
  })
  return (
    <End
      what={<RecurringTitle plan={plan} />}
      yes={t`Stop Recurring Buy`}
      no={t`Keep Recurring Buy`}
      busy={busy}
      onYes={() => void submit({ id: plan.id }).finally(onDone)}
      onNo={onDone}
    >
      <Trans comment="{name} is a coin">We won't buy any more {name}. You keep what you have.</Trans>
    </End>
  )
}

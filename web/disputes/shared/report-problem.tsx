import { isCardPayment } from '#contract/line-texts.ts'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { CircleHelp, ShieldQuestion } from 'lucide-react'
import { useState } from 'react'
import type { Transaction } from '#contract/accounts.ts'
import type { Dispute } from '#contract/disputes.ts'
import { disputeQuery, withdrawDispute } from '#web/disputes/queries.ts'
import { outcomeTexts } from '#web/disputes/shared/outcome.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { ActionTile, ActionTileSkeleton } from '#web/ui/action-tile.tsx'
import { Button } from '#web/ui/button.tsx'
import { useSheet } from '#web/ui/sheet.tsx'

const loadSheet = () => import('#web/disputes/shared/report-sheet.tsx')

/** Returns the bank's answer about disputes for a transaction. `isComing` is true while the request runs. */
function useDispute(transaction: Transaction) {
  const enabled = isCardPayment(transaction) && transaction.status === 'completed'
  const { data, isPending } = useQuery({ ...disputeQuery(transaction.id), enabled })
  return { dispute: data, isComing: enabled && isPending }
}

/** Shows what a customer can do about a wrong card payment. */
export function ReportProblem({ transaction }: { transaction: Transaction }) {
  const { dispute, isComing } = useDispute(transaction)
  const [open, setOpen] = useState(false)
  const sheet = useSheet(loadSheet, open, () => setOpen(false))
  return (
    <>
      {isComing && <ActionTileSkeleton />}
      {dispute?.mayDispute && (
        <ActionTile icon={CircleHelp} aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <Trans>Report a Problem</Trans>
        </ActionTile>
      )}
      {sheet && <sheet.ReportSheet open={open} onOpenChange={setOpen} payment={transaction} />}
    </>
  )
}

/** Shows the state of a dispute about a card payment. */
export function DisputeStatus({ transaction }: { transaction: Transaction }) {
  const dispute = useDispute(transaction).dispute?.dispute
  return dispute && dispute.status !== 'withdrawn' ? <Status dispute={dispute} /> : null
}

/** Shows the progress of a dispute in plain words. */
function Status({ dispute }: { dispute: Dispute }) {
  const { t } = useLingui()
  const titles = {
    open: t`We're looking into this payment`,
    upheld: t`Dispute decided in your favor`,
    rejected: t`Dispute declined`,
    withdrawn: '',
  }
  return (
    <section className="rounded-card bg-muted p-4">
      <h2 className="flex items-center gap-2 font-semibold">
        <ShieldQuestion aria-hidden className="size-5 shrink-0" strokeWidth={2} />
        {titles[dispute.status]}
      </h2>
      <p className="mt-1 text-[0.9375rem] text-pretty">{outcomeTexts(dispute).join(' ')}</p>
      {dispute.answer && (
        <p
          dir="auto"
          className="mt-2 rounded-control bg-surface px-3.5 py-2.5 text-[0.9375rem] [overflow-wrap:anywhere]"
        >
          {dispute.answer}
        </p>
      )}
      {dispute.status === 'open' && <Withdraw dispute={dispute} />}
    </section>
  )
}

function Withdraw({ dispute }: { dispute: Dispute }) {
  const { t } = useLingui()
  const { submit, busy } = useSubmission({
    send: withdrawDispute,
    loading: () => t`Withdrawing…`,
    success: () => ({ message: t`Dispute withdrawn` }),
  })
  return (
    <Button variant="quiet" size="small" className="mt-2 -ms-4" busy={busy} onClick={() => void submit(dispute.id)}>
      <Trans comment="A button that withdraws a dispute about a card payment">Withdraw Dispute</Trans>
    </Button>
  )
}

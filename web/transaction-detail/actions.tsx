import { Trans, useLingui } from '@lingui/react/macro'
import { Download, Share2 } from 'lucide-react'
import { useState } from 'react'
import type { Transaction } from '#contract/accounts.ts'
import { isCardPayment } from '#contract/line-texts.ts'
import type * as more from '#web/transaction-detail/lazy-parts.tsx'
import { SendAgain } from '#web/transaction-detail/send-again.tsx'
import { SplitLink } from '#web/transaction-detail/split-link.tsx'
import { receiptUrl } from '#web/accounts/queries.ts'
import { ReportProblem } from '#web/disputes/shared/report-problem.tsx'
import { dateAndTime } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { nameText } from '#web/i18n/words.ts'
import { messageOf } from '#web/lib/api.ts'
import { download } from '#web/lib/download.ts'
import { shareText } from '#web/lib/share.ts'
import { toast } from '#web/lib/toast.ts'
import { ActionTile, ActionTileSkeleton, ActionTiles } from '#web/ui/action-tile.tsx'

export type LazyParts = typeof more

/**
 * Shows the actions for a transaction, the most likely first. `more` contains the parts that load later; null until they have
 * loaded.
 */
export function Actions({ transaction, more }: { transaction: Transaction; more: LazyParts | null }) {
  const { t } = useLingui()
  const text = useSharedText(transaction)
  return (
    <ActionTiles label={t`Actions`}>
      <SendAgain transaction={transaction} />
      <SplitLink transaction={transaction} />
      {more ? <more.FreezeAction transaction={transaction} /> : isCardPayment(transaction) && <ActionTileSkeleton />}
      <ReportProblem transaction={transaction} />
      <Receipt transaction={transaction} />
      <ActionTile icon={Share2} onClick={() => void shareText({ title: t`Alder transaction`, text })}>
        <Trans comment="Shares a transaction through another app">Share</Trans>
      </ActionTile>
    </ActionTiles>
  )
}

/** Returns the text to share about a transaction, in one line. */
function useSharedText(transaction: Transaction): string {
  const { t } = useLingui()
  const { transactionId, reference } = transaction
  const name = nameText(transaction.name)
  const amount = money(transaction.amountMinor, transaction.asset, { sign: 'always' })
  const dateTime = dateAndTime(transaction.bookedAt)
  return t({
    message: `${name}: ${amount}, ${dateTime}. ${transactionId}, ${reference}.`,
    comment:
      'A transaction in one line, for sharing. Example: "Fern & Kettle: −$4.50, Fri, Aug 28, 2026, 9:41 AM. TXN…, REF…."',
  })
}

function Receipt({ transaction }: { transaction: Transaction }) {
  const [busy, setBusy] = useState(false)
  async function receipt() {
    setBusy(true)
    try {
      await download(receiptUrl(transaction.id), `alder-receipt-${transaction.transactionId}.pdf`)
    } catch (error) {
      toast.error(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <ActionTile icon={Download} busy={busy} onClick={() => void receipt()}>
      <Trans>Download Receipt</Trans>
    </ActionTile>
  )
}

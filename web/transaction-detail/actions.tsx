import { Trans, useLingui } from '@lingui/react/macro'
import { Download, Share2 } from 'lucide-react'
import { useState } from 'react'
import type { Transaction } from '#contract/accounts.ts'
import { isCardPayment } from '#contract/wording.ts'
import type * as more from '#web/transaction-detail/more.tsx'
import { SendAgain } from '#web/transaction-detail/send-again.tsx'
import { SplitLink } from '#web/transaction-detail/split-link.tsx'
import { receiptUrl } from '#web/accounts/queries.ts'
import { ReportProblem } from '#web/disputes/shared/report-problem.tsx'
import { dateAndTime } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { nameText } from '#web/i18n/words.ts'
import { messageOf } from '#web/lib/api.ts'
import { download } from '#web/lib/download.ts'
import { share } from '#web/lib/share.ts'
import { toast } from '#web/lib/toast.ts'
import { ActionTile, ActionTileSkeleton, ActionTiles } from '#web/ui/action-tile.tsx'

export type More = typeof more

/** What a transaction offers, the likeliest first; what does not fit it is left out. `more`: what comes later; null until then. */
export function Actions({ shown, more }: { shown: Transaction; more: More | null }) {
  const { t } = useLingui()
  const text = useSharedText(shown)
  return (
    <ActionTiles label={t`Actions`}>
      <SendAgain shown={shown} />
      <SplitLink shown={shown} />
      {more ? <more.FreezeAction shown={shown} /> : isCardPayment(shown) && <ActionTileSkeleton />}
      <ReportProblem shown={shown} />
      <Receipt shown={shown} />
      <ActionTile icon={Share2} onClick={() => void share({ title: t`Alder transaction`, text })}>
        <Trans comment="A transaction, with another app">Share</Trans>
      </ActionTile>
    </ActionTiles>
  )
}

/** What is shared of a transaction: its figures in one line of text. */
function useSharedText(shown: Transaction): string {
  const { t } = useLingui()
  const { transactionId, reference } = shown
  const name = nameText(shown.name)
  const amount = money(shown.amountMinor, shown.asset, { sign: 'always' })
  const dateTime = dateAndTime(shown.bookedAt)
  return t({
    message: `${name}: ${amount}, ${dateTime}. ${transactionId}, ${reference}.`,
    comment:
      'A transaction in one line, to be shared: "Fern & Kettle: −$4.50, Fri, Aug 28, 2026, 9:41 AM. TXN…, REF…."',
  })
}

function Receipt({ shown }: { shown: Transaction }) {
  const [busy, setBusy] = useState(false)
  async function receipt() {
    setBusy(true)
    try {
      await download(receiptUrl(shown.id), `alder-receipt-${shown.transactionId}.pdf`)
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

import { Trans, useLingui } from '@lingui/react/macro'
import { Clock3, Copy, Share2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { Transaction, TransactionDetail } from '#contract/accounts.ts'
import { money } from '#web/i18n/formats.ts'
import { nameText } from '#web/i18n/words.ts'
import { cancelTransfer } from '#web/accounts/queries.ts'
import { dateAndTime } from '#web/i18n/dates.ts'
import { copyText, shareText } from '#web/lib/share.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { Button } from '#web/ui/button.tsx'
import { EmailText } from '#web/ui/email-text.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

type PendingClaimProps = { transaction: Transaction; claim: NonNullable<TransactionDetail['claim']> }

/** Shows a payment that waits for a person who is not a customer yet: the link to claim it, and a button to cancel it. */
export function PendingClaim({ transaction, claim }: PendingClaimProps) {
  const { t } = useLingui()
  const [isConfirming, setConfirming] = useState(false)
  const name = <EmailText email={nameText(transaction.name)} />
  const expiry = dateAndTime(claim.expiresAt)
  const amount = money(transaction.amountMinor, transaction.asset, { sign: 'never' })
  return (
    <section className="rounded-card bg-warning-subtle p-4">
      <h2 className="flex items-center gap-2 font-semibold text-warning">
        <Clock3 aria-hidden className="size-5" strokeWidth={2} />
        <Trans comment="A payment">Waiting to be accepted</Trans>
      </h2>
      <p className="mt-1 text-[0.9375rem] text-pretty">
        <Trans comment="{expiry} is a date with a time">
          {name} isn't with Alder yet. Anyone with this link can accept the money until {expiry}. After that, it comes
          back to you.
        </Trans>
      </p>
      <p className="mt-3 truncate rounded-control bg-surface px-3.5 py-3 text-sm select-all">{claim.url}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          size="small"
          className="flex-1"
          icon={<Copy aria-hidden className="size-4" strokeWidth={2.2} />}
          onClick={() => void copyText(claim.url, t`Link copied`)}
        >
          <Trans>Copy Link</Trans>
        </Button>
        <Button
          size="small"
          variant="secondary"
          className="flex-1 !bg-surface"
          icon={<Share2 aria-hidden className="size-4" strokeWidth={2.2} />}
          onClick={() =>
            void shareText({ title: t`Money for you`, text: t`I sent you ${amount} with Alder.`, url: claim.url })
          }
        >
          <Trans>Share Link</Trans>
        </Button>
        <Button
          size="small"
          variant="quiet"
          className="w-full !text-danger hover:!bg-danger-subtle"
          icon={<Undo2 aria-hidden className="size-4" strokeWidth={2.2} />}
          onClick={() => setConfirming(true)}
        >
          <Trans context="take a payment back">Cancel</Trans>
        </Button>
      </div>
      <ConfirmCancel transaction={transaction} open={isConfirming} onOpenChange={setConfirming} />
    </section>
  )
}

type ConfirmCancelProps = { transaction: Transaction; open: boolean; onOpenChange: (open: boolean) => void }

function ConfirmCancel({ transaction, open, onOpenChange }: ConfirmCancelProps) {
  const { t } = useLingui()
  const amount = money(transaction.amountMinor, transaction.asset, { sign: 'never' })
  const { submit, busy } = useSubmission({
    send: (id: string, key) => cancelTransfer(id, key),
    loading: () => t`Canceling…`,
    success: () => ({ message: t`${amount} is back in your account` }),
    outcome: () => ({ sent: t`${amount} is back in your account`, notSent: t`The payment wasn't canceled` }),
  })
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={t`Cancel this payment?`}
      description={t`The money comes back to your account.`}
      footer={
        <div className="flex gap-2.5">
          <Button variant="secondary" className="flex-1 !px-3" onClick={() => onOpenChange(false)}>
            <Trans>Keep Payment</Trans>
          </Button>
          <Button
            variant="danger"
            className="flex-1 !px-3"
            busy={busy}
            onClick={() => void submit(transaction.id).then(() => onOpenChange(false))}
          >
            <Trans>Cancel Payment</Trans>
          </Button>
        </div>
      }
    >
      <p className="text-pretty text-ink-soft">
        <Trans>{amount} comes back to your account right away, and the link stops working.</Trans>
      </p>
    </Sheet>
  )
}

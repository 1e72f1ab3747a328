import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { DirectDebit, Mandate } from '#contract/direct-debits.ts'
import { money } from '#web/i18n/formats.ts'
import { errorMessage } from '#web/lib/error-toast.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { toast } from '#web/lib/toast.ts'
import { cancelMandate, claimBack } from '#web/payment-methods/queries.ts'
import { Confirm } from '#web/ui/confirm.tsx'

type ConfirmDebitProps = { mandate: Mandate; open: boolean; onBack: () => void }

/** Asks for a confirmation before a mandate is canceled. */
export function CancelMandate({ mandate, open, onBack }: ConfirmDebitProps) {
  const { t } = useLingui()
  const { billerName, id } = mandate
  const queries = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => cancelMandate(id),
    onSuccess: () => {
      toast.success(t`${billerName} can no longer collect`)
      onBack()
    },
    onSettled: () => queries.invalidateQueries(),
  })
  return (
    <Confirm
      open={open}
      onOpenChange={onBack}
      title={t`Cancel this direct debit?`}
      description={t`The biller can no longer collect from your account.`}
      yes={t`Cancel Direct Debit`}
      no={t({ message: 'Keep It', comment: 'Keeps a direct debit instead of canceling it' })}
      danger
      busy={isPending}
      error={errorMessage(error)}
      onYes={() => mutate()}
    >
      <p>
        <Trans>
          <bdi>{billerName}</bdi> can no longer collect from your account, and upcoming payments are canceled. If you
          still owe them money, arrange another way to pay.
        </Trans>
      </p>
    </Confirm>
  )
}

/** Asks for a confirmation before a direct debit is reclaimed. */
export function ClaimBack({ mandate, debit, open, onBack }: ConfirmDebitProps & { debit: DirectDebit }) {
  const { t } = useLingui()
  const { billerName } = mandate
  const amount = money(debit.amountMinor, debit.asset)
  const { submit, busy } = useSubmission({
    send: (content: { id: string }, key) => claimBack(content.id, key),
    loading: () => t`Claiming back ${amount}…`,
    success: () => ({ message: t`${amount} is back in your account` }),
  })
  return (
    <Confirm
      open={open}
      onOpenChange={onBack}
      title={t`Claim back ${amount}?`}
      description={t`The money goes back to your account right away.`}
      yes={t`Claim Back`}
      no={t`Not Now`}
      busy={busy}
      onYes={() => void submit({ id: debit.id }).then(onBack)}
    >
      <p>
        <Trans>
          The money goes back to your account right away, and you don't need a reason. If you still owe{' '}
          <bdi>{billerName}</bdi>, they may ask you to pay another way.
        </Trans>
      </p>
    </Confirm>
  )
}

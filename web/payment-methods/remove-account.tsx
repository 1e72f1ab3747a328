import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { LinkedAccount } from '#contract/linked-accounts.ts'
import { errorMessage } from '#web/lib/error-toast.ts'
import { toast } from '#web/lib/toast.ts'
import { removeAccount } from '#web/payment-methods/queries.ts'
import type { SheetState } from '#web/payment-methods/open-sheet.ts'
import { Confirm } from '#web/ui/confirm.tsx'

type RemoveAccountProps = SheetState & { account: LinkedAccount; onKeep: () => void }

/** Asks for a confirmation before an account is removed. */
export function RemoveAccount({ account, onKeep, open, onOpenChange }: RemoveAccountProps) {
  const { t } = useLingui()
  const { id, name, kind } = account
  const queries = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => removeAccount(id),
    onSuccess: () => {
      toast.success(t`${name} removed`)
      onOpenChange(false)
    },
    onSettled: () => queries.invalidateQueries(),
  })
  return (
    <Confirm
      open={open}
      onOpenChange={(next) => (next ? undefined : onKeep())}
      title={t`Remove ${name}?`}
      description={t`You can link it again later.`}
      yes={t`Remove`}
      no={t({ message: 'Keep', comment: 'Keeps a linked account or card' })}
      danger
      busy={isPending}
      error={errorMessage(error)}
      onYes={() => mutate()}
    >
      <p>
        {kind === 'bank' ? (
          <Trans>
            You won't be able to move money to or from it. Payments already on their way will still arrive. You can link
            it again later.
          </Trans>
        ) : (
          <Trans>You can link it again later.</Trans>
        )}
      </p>
    </Confirm>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import type { LinkedAccount } from '#contract/linked-accounts.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { removeAccount } from '#web/payment-methods/queries.ts'
import type { SheetState } from '#web/payment-methods/sheets.tsx'
import { Confirm } from '#web/ui/confirm.tsx'

type RemoveAccountProps = SheetState & { account: LinkedAccount; onKeep: () => void }

/** Asks once more before an account is forgotten. */
export function RemoveAccount({ account, onKeep, open, onOpenChange }: RemoveAccountProps) {
  const { t } = useLingui()
  const { id, name, kind } = account
  const { submit, busy } = useSubmission({
    send: (account_: { id: string }) => removeAccount(account_.id),
    loading: () => t`Removing ${name}…`,
    success: () => ({ message: t`${name} removed` }),
  })
  return (
    <Confirm
      open={open}
      onOpenChange={(next) => (next ? undefined : onKeep())}
      title={t`Remove ${name}?`}
      description={t`You can link it again later.`}
      yes={t`Remove`}
      no={t({ message: 'Keep', comment: 'A linked account or card' })}
      danger
      busy={busy}
      onYes={() =>
        void submit({ id }).then(() => {
          onOpenChange(false)
        })
      }
    >
      <p>
        {kind === 'bank' ? (
          <Trans>
            You won't be able to move money to it or from it. Whatever is already on its way still arrives. You can link
            it again later.
          </Trans>
        ) : (
          <Trans>You can link it again later.</Trans>
        )}
      </p>
    </Confirm>
  )
}

import { Trans } from '@lingui/react/macro'
import type { LinkedAccount } from '#contract/linked-accounts.ts'
import { EmailText } from '#web/ui/email-text.tsx'
import { Dot } from '#web/ui/inline-facts.tsx'

/** Shows the email address of a linked account, or else its status. A bank account also has its masked number. */
export function AccountFacts({ account }: { account: LinkedAccount }) {
  const { kind, email, lastFour, status } = account
  if (email) return <EmailText email={email} />
  if (kind !== 'bank') return <Trans comment="The status of a wallet or a payment service">Connected</Trans>
  return (
    <>
      <bdi dir="ltr" className="tabular">
        •••• {lastFour}
      </bdi>
      <Dot />
      <Status status={status} />
    </>
  )
}

function Status({ status }: Pick<LinkedAccount, 'status'>) {
  switch (status) {
    case 'verified':
      return <Trans context="linked account">Verified</Trans>
    case 'pending':
      return (
        <span className="font-medium text-warning">
          <Trans context="linked account">Not verified yet</Trans>
        </span>
      )
    case 'expired':
      return (
        <span className="font-medium text-danger">
          <Trans context="linked account">Verification expired</Trans>
        </span>
      )
    case 'failed':
      return (
        <span className="font-medium text-danger">
          <Trans context="linked account">Verification failed</Trans>
        </span>
      )
  }
}

import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { LinkedAccount } from '#contract/linked-accounts.ts'
import { EmailText } from '#web/ui/email-text.tsx'

type Fact = { key: string; fact: ReactNode }

/** What tells a linked account from others: its masked number, its email or how it stands. */
export function accountFacts({ kind, email, lastFour, status }: LinkedAccount): Fact[] {
  if (email) return [{ key: 'email', fact: <EmailText email={email} /> }]
  return [
    ...(lastFour ? [{ key: 'number', fact: <bdi className="tabular">•••• {lastFour}</bdi> }] : []),
    { key: 'status', fact: kind === 'bank' ? <Status status={status} /> : <Connected /> },
  ]
}

const Connected = () => <Trans comment="A wallet or a payment service">Connected</Trans>

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

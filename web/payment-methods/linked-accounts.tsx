import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Landmark, Link2, type LucideIcon, Send, Wallet } from 'lucide-react'
import type { LinkedAccount, LinkedKind } from '#contract/linked-accounts.ts'
import { linkedAccountsQuery } from '#web/lib/linked-accounts.ts'
import { AccountFacts } from '#web/payment-methods/account-facts.tsx'
import { RowsSkeleton } from '#web/payment-methods/rows-skeleton.tsx'
import type { OpenPaymentMethodSheet } from '#web/payment-methods/open-sheet.ts'
import { Button } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { RowIcon, type RowTint } from '#web/ui/row.tsx'
import { Rows } from '#web/ui/rows.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { Loading } from '#web/ui/skeleton.tsx'

const LOOKS: Record<Exclude<LinkedKind, 'card'>, { icon: LucideIcon; tint: RowTint }> = {
  bank: { icon: Landmark, tint: 'primary' },
  wallet: { icon: Wallet, tint: 'orange' },
  payment_service: { icon: Send, tint: 'plain' },
}

type LinkedAccountsProps = { onOpen: (opened: OpenPaymentMethodSheet) => void }

/** Lists the customer's accounts at other banks and services, without cards. */
export function LinkedAccountList({ onOpen }: LinkedAccountsProps) {
  const { t } = useLingui()
  const { data, error, refetch } = useQuery(linkedAccountsQuery)
  const accounts = data?.accounts.filter(({ kind }) => kind !== 'card')
  return (
    <Section title={t`Linked Accounts`}>
      <Card>
        {error && !data && <LoadFailure error={error} refetch={refetch} />}
        {!data && !error && <Loading label={t`Loading your linked accounts`} />}
        {!data && !error && <RowsSkeleton count={2} shape="account" />}
        {accounts?.length === 0 && (
          <p className="px-4 py-5 text-[0.9375rem] text-pretty text-ink-soft">
            <Trans>Link an account at another bank to add money from it and move money to it.</Trans>
          </p>
        )}
        {accounts && (
          <Rows of={accounts}>
            {(account) => <AccountRow account={account} onManage={() => onOpen({ what: 'account', id: account.id })} />}
          </Rows>
        )}
      </Card>
      {data?.payouts !== null && (
        <Button
          variant="secondary"
          icon={<Link2 aria-hidden className="size-5" strokeWidth={2} />}
          aria-haspopup="dialog"
          disabled={!data}
          onClick={() => onOpen({ what: 'link' })}
          className="mt-3 w-full"
        >
          <Trans>Link New Account</Trans>
        </Button>
      )}
    </Section>
  )
}

function AccountRow({ account, onManage }: { account: LinkedAccount; onManage: () => void }) {
  const { t } = useLingui()
  const accountLook = LOOKS[account.kind === 'card' ? 'bank' : account.kind]
  const { name } = account
  return (
    <div className="@container px-4">
      <div className="flex min-h-18 items-center gap-3.5 py-3 @max-[15rem]:flex-wrap">
        <RowIcon {...accountLook} />
        <span className="min-w-0 flex-1 basis-32">
          <span className="block font-medium break-words">{name}</span>
          <span className="block text-sm text-ink-soft">
            <AccountFacts account={account} />
          </span>
        </span>
        <Button
          variant="secondary"
          size="small"
          aria-label={t({ message: `Manage ${name}`, comment: '{name} is a linked account' })}
          aria-haspopup="dialog"
          onClick={onManage}
          className="shrink-0"
        >
          <Trans comment="Opens the actions for a linked account">Manage</Trans>
        </Button>
      </div>
    </div>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ArrowUpRight, Plus } from 'lucide-react'
import { useState } from 'react'
import type { LinkedAccount } from '#contract/linked-accounts.ts'
import { linkedAccountsQuery } from '#web/lib/linked-accounts.ts'
import { paths } from '#web/lib/paths.ts'
import { lastDayExpiryText } from '#web/payment-methods/expiry.ts'
import { AccountFacts } from '#web/payment-methods/account-facts.tsx'
import { LabelledFacts } from '#web/payment-methods/details.tsx'
import { MoveOut } from '#web/payment-methods/move-out.tsx'
import { RemoveAccount } from '#web/payment-methods/remove-account.tsx'
import type { SheetState } from '#web/payment-methods/open-sheet.ts'
import { Verify } from '#web/payment-methods/verify.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

type View = 'account' | 'move_out' | 'remove'

/** Shows a linked account and its actions. */
export function AccountSheet({ id, ...sheet }: SheetState & { id: string }) {
  const { data } = useQuery(linkedAccountsQuery)
  const account = data?.accounts.find((candidate) => candidate.id === id)
  const [view, setView] = useState<View>('account')
  // An account that was removed is no longer in the list.
  if (!account) return null
  const close = () => sheet.onOpenChange(false)
  if (view === 'move_out') return <MoveOut account={account} {...sheet} onDone={close} />
  if (view === 'remove') return <RemoveAccount account={account} {...sheet} onKeep={() => setView('account')} />
  return <Account account={account} {...sheet} onView={setView} />
}

type AccountProps = SheetState & { account: LinkedAccount; onView: (view: View) => void }

function Account({ account, onView, ...sheet }: AccountProps) {
  const { t } = useLingui()
  const { name, status, kind } = account
  const isUsable = kind === 'bank' && status === 'verified'
  return (
    <Sheet {...sheet} title={name} description={t`Options for this account`}>
      <div className="flex flex-col gap-5">
        <AccountDetails account={account} />
        {status === 'pending' && <Verify account={account} />}
        {(status === 'failed' || status === 'expired') && (
          <p className="rounded-card bg-danger-subtle p-4 text-[0.9375rem] text-pretty">
            <Trans>This account wasn't verified. To use it, remove it and link it again.</Trans>
          </p>
        )}
        {isUsable && <Actions account={account} onMoveOut={() => onView('move_out')} />}
        <Button variant={status === 'pending' || isUsable ? 'quiet' : 'secondary'} onClick={() => onView('remove')}>
          {kind === 'card' ? <Trans>Remove Card</Trans> : <Trans>Remove Account</Trans>}
        </Button>
      </div>
    </Sheet>
  )
}

function AccountDetails({ account }: { account: LinkedAccount }) {
  const { t } = useLingui()
  const { holderName, kind, lastFour, expiresOn } = account
  const maskedNumber = lastFour && (
    <bdi dir="ltr" className="tabular">
      •••• {lastFour}
    </bdi>
  )
  return (
    <LabelledFacts
      details={[
        { label: kind === 'card' ? t`Cardholder` : t`Account Holder`, value: holderName },
        kind === 'card'
          ? { label: t`Card Number`, value: maskedNumber }
          : { label: t`Account`, value: <AccountFacts account={account} /> },
        ...(expiresOn
          ? [{ label: t`Expires`, value: <bdi className="tabular">{lastDayExpiryText(expiresOn)}</bdi> }]
          : []),
      ]}
    />
  )
}

function Actions({ account: { id }, onMoveOut }: { account: LinkedAccount; onMoveOut: () => void }) {
  return (
    <div className="flex flex-col gap-2">
      <ButtonLink to={paths.addMoney} state={{ from: id }} icon={<Plus aria-hidden className="size-5" />}>
        <Trans>Add Money</Trans>
      </ButtonLink>
      <Button
        variant="secondary"
        icon={<ArrowUpRight aria-hidden className="size-5 rtl:-scale-x-100" />}
        onClick={onMoveOut}
      >
        <Trans>Move Money Out</Trans>
      </Button>
    </div>
  )
}

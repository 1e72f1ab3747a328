import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { FileText, FlaskConical, Share2, Unplug } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { AccountDetails } from '#contract/account-details.ts'
import { DetailsCard } from '#web/account-details/details-card.tsx'
import { accountDetailsQuery, LETTER_URL } from '#web/account-details/queries.ts'
import { ScanCard } from '#web/account-details/scan-card.tsx'
import { messageOf } from '#web/lib/api.ts'
import { download } from '#web/lib/download.ts'
import { meQuery } from '#web/lib/me.ts'
import { paths } from '#web/lib/paths.ts'
import { shareText } from '#web/lib/share.ts'
import { toast } from '#web/lib/toast.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Columns } from '#web/ui/columns.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { QueryScreen } from '#web/ui/query-screen.tsx'
import { ButtonRow, LinkRow } from '#web/ui/row.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Shows the account number and routing details, with ways to copy, share and scan them. */
export function AccountDetailsScreen() {
  const { t } = useLingui()
  const query = useQuery(accountDetailsQuery)
  const details = query.data?.details
  const text = useDetailsText(details)
  return (
    <QueryScreen
      query={query}
      title={t`Account Details`}
      back={paths.dashboard}
      loading={t`Loading your account details`}
    >
      {details === null ? (
        <NotAvailable />
      ) : (
        <Columns>
          <>
            <DetailsCard details={details} />
            <HandOn text={text} />
            <More hasDetails={text !== null} />
          </>
          <>
            <ScanCard text={text} />
            <Explained />
          </>
        </Columns>
      )}
    </QueryScreen>
  )
}

/** Shown by a bank without a connection to other banks. */
function NotAvailable() {
  const { t } = useLingui()
  return (
    <EmptyState
      icon={Unplug}
      title={t`Other banks can't send money here yet`}
      action={
        <ButtonLink to={paths.dashboard}>
          <Trans>Go to Home</Trans>
        </ButtonLink>
      }
    >
      <Trans>
        You can still get paid. Give your email or phone number to someone with an Alder account, and the money arrives
        right away.
      </Trans>
    </EmptyState>
  )
}

/** Returns all details as text, one per line. Returns null without details. */
function useDetailsText(details: AccountDetails | null | undefined): string | null {
  const { t } = useLingui()
  if (!details) return null
  const { holderName, bankName, routingNumber, accountNumber } = details
  const lines: [label: string, value: string][] = [
    [t`Account Holder`, holderName],
    [t`Bank`, bankName],
    [t`Routing Number`, routingNumber],
    [t`Account Number`, accountNumber],
    [t`Account Type`, t({ message: 'Checking', comment: 'The American term for a current account' })],
  ]
  return lines.map(([label, value]) => `${label}: ${value}`).join('\n')
}

/** `text` is null while the details load. */
function HandOn({ text }: { text: string | null }) {
  const { t } = useLingui()
  if (text === null)
    return (
      <div className="flex gap-2.5">
        <Skeleton className="h-13 flex-1 rounded-control" />
        <Skeleton className="h-13 flex-1 rounded-control" />
      </div>
    )
  return (
    <div className="flex flex-wrap gap-2.5">
      <Button
        icon={<Share2 aria-hidden className="size-5" strokeWidth={2} />}
        onClick={() => void shareText({ title: t`Account Details`, text })}
        className="flex-auto !px-4"
      >
        <Trans comment="Shares the customer's account details through another app">Share</Trans>
      </Button>
      <CopyButton text={text} label={t`Copy All`} message={t`Account details copied`} className="flex-auto !px-4" />
    </div>
  )
}

/** Shows the link to the letter and, in a sample bank, the way to simulate a transfer. */
function More({ hasDetails }: { hasDetails: boolean }) {
  const { t } = useLingui()
  const { data: me } = useQuery(meQuery)
  const [busy, setBusy] = useState(false)
  async function letter() {
    setBusy(true)
    try {
      await download(LETTER_URL, 'alder-account-details.pdf')
    } catch (error) {
      toast.error(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card className="divide-y divide-line">
      <ButtonRow
        icon={FileText}
        tint="blue"
        title={t`Download Letter`}
        description={t`A PDF that confirms your account, for an employer or a landlord`}
        busy={busy}
        disabled={!hasDetails}
        onClick={() => void letter()}
      />
      {me?.mode === 'sample' && (
        <LinkRow
          icon={FlaskConical}
          tint="orange"
          title={t`Try It Out`}
          description={t`Have someone pay you in Sample Controls`}
          to={paths.sample}
        />
      )}
    </Card>
  )
}

function Explained() {
  const { t } = useLingui()
  return (
    <Section title={t`Good to Know`}>
      <Card>
        <dl className="divide-y divide-line">
          <Fact title={t`Who can pay you`}>
            <Trans>Your employer, or anyone with an account at a bank in the United States, in US dollars.</Trans>
          </Fact>
          <Fact title={t`When it arrives`}>
            <Trans>As soon as their bank sends it to us. We'll tell you right away.</Trans>
          </Fact>
          <Fact title={t`Is it safe to share?`}>
            <Trans>Yes. Others can use these details to send you money, but not to take any.</Trans>
          </Fact>
        </dl>
      </Card>
    </Section>
  )
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="px-4 py-3">
      <dt className="font-medium">{title}</dt>
      <dd className="mt-0.5 text-[0.9375rem] text-pretty text-ink-soft">{children}</dd>
    </div>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Leaf, Copy, Inbox, type LucideIcon, Mail, Phone } from 'lucide-react'
import { Refusal } from '#contract/errors.ts'
import type { SamplePanel } from '#contract/sample.ts'
import { errorText } from '#web/i18n/error-text.ts'
import { paths } from '#web/lib/paths.ts'
import { copyText } from '#web/lib/share.ts'
import { BankDate } from '#web/sample/bank-date.tsx'
import { SimulatedOtherBanks } from '#web/sample/other-banks.tsx'
import { SimulatedEvents } from '#web/sample/simulated-events.tsx'
import { panelQuery } from '#web/sample/queries.ts'
import { StartOver } from '#web/sample/start-over.tsx'
import { Poster } from '#web/ui/art/poster.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmailText } from '#web/ui/email-text.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { usePhoneLibrary } from '#web/ui/phone-library.ts'
import { QueryScreen } from '#web/ui/query-screen.tsx'
import { LinkRow, RowIcon } from '#web/ui/row.tsx'
import { Card, Screen, Section } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Shows the controls of the sample bank, which simulate the calendar, shops, an employer, other people and other banks. */
export function PanelScreen() {
  const { t } = useLingui()
  const query = useQuery(panelQuery)
  const { data, error } = query
  if (error instanceof Refusal && error.code === 'not_found') return <NoPanel />
  return (
    <QueryScreen query={query} title={t`Sample Bank`} back={paths.dashboard} loading={t`Loading the sample bank`}>
      <BankDate movedBy={data?.dateMovedBy} />
      <SimulatedEvents />
      <SimulatedOtherBanks />
      <Address customer={data?.customer} />
      <Mailbox />
      <StartOver />
    </QueryScreen>
  )
}

/** Shown by a live bank, which has no sample panel. */
function NoPanel() {
  return (
    <Screen title={errorText('page_not_found')} header={<></>} className="justify-center">
      <EmptyState
        icon={Leaf}
        picture={<Poster of="lost" />}
        heading="h1"
        title={errorText('page_not_found')}
        action={
          <ButtonLink to={paths.home}>
            <Trans>Return to Home</Trans>
          </ButtonLink>
        }
      />
    </Screen>
  )
}

/** Shows the email address and phone number to which others can send money. */
function Address({ customer }: { customer: SamplePanel['customer'] | undefined }) {
  const { t } = useLingui()
  const phones = usePhoneLibrary(Boolean(customer?.phone))
  return (
    <Section title={t`Get Paid by Someone`}>
      <p className="px-1 pb-3 text-[0.9375rem] text-pretty text-ink-soft">
        <Trans>
          Open Alder in a private window or another browser. You'll be a different customer there, and you can send
          money to this one.
        </Trans>
      </p>
      <Card>
        <ul className="divide-y divide-line">
          <CopyRow
            icon={Mail}
            label={t`Email`}
            action={t`Copy Email`}
            copied={t`Email copied`}
            value={customer?.email}
          />
          {customer?.phone !== null && (
            <CopyRow
              icon={Phone}
              label={t`Phone`}
              action={t`Copy Phone`}
              copied={t`Phone copied`}
              value={customer?.phone}
              shown={customer && (phones?.groupPhone(customer.phone) ?? customer.phone)}
            />
          )}
        </ul>
      </Card>
    </Section>
  )
}

type CopyRowProps = {
  icon: LucideIcon
  label: string
  /** The label of the button. */
  action: string
  /** The message after copying. */
  copied: string
  value: string | undefined
  /** The text that is shown in place of `value`, which is the text to copy. */
  shown?: string | undefined
}

function CopyRow({ icon: Icon, label, action, copied, value, shown = value }: CopyRowProps) {
  return (
    <li className="@container ps-4 pe-2.5">
      <div className="flex min-h-16 items-center gap-3 py-2.5">
        <RowIcon icon={Icon} />
        <span className="min-w-0 flex-1">
          <span className="block text-sm text-ink-soft">{label}</span>
          {shown ? (
            <span className="block font-medium break-words">
              <bdi dir="ltr">
                <EmailText email={shown} />
              </bdi>
            </span>
          ) : (
            <Skeleton line className="w-44" />
          )}
        </span>
        <IconButton
          icon={Copy}
          label={action}
          disabled={!value}
          onClick={() => value && void copyText(value, copied)}
        />
      </div>
    </li>
  )
}

function Mailbox() {
  const { t } = useLingui()
  return (
    <Card>
      <LinkRow icon={Inbox} tint="orange" title={t`Mailbox`} description={t`Emails from Alder`} to={paths.sampleMail} />
    </Card>
  )
}

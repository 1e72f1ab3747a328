import { Trans, useLingui } from '@lingui/react/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { ChevronDown, Mail as MailIcon } from 'lucide-react'
import { useState } from 'react'
import type { Mail, TextMessage } from '#contract/mail.ts'
import { useBusinessNow } from '#web/accounts/queries.ts'
import { unwrap, api, withSignal } from '#web/lib/api.ts'
import { shortDay, timeOfDay } from '#web/i18n/dates.ts'
import { paths } from '#web/lib/paths.ts'
import { MailLetter } from '#web/sample/mail-letter.tsx'
import { Poster } from '#web/ui/art/poster.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { QueryScreen } from '#web/ui/query-screen.tsx'
import { Card } from '#web/ui/screen.tsx'
import { RowSkeletons } from '#web/ui/skeleton.tsx'

const mailboxQuery = queryOptions({
  queryKey: ['mailbox'],
  queryFn: ({ signal }) => unwrap(api.sample.mail.$get({}, withSignal(signal))),
  // The customer may be waiting for a message, so the list is refreshed every two seconds.
  refetchInterval: 2_000,
})

/** Shows the sample bank's mailbox, with the emails and text messages that a live bank would send. */
export function MailScreen() {
  const { t } = useLingui()
  const query = useQuery(mailboxQuery)
  const { data } = query
  return (
    <QueryScreen query={query} title={t`Mailbox`} back={paths.dashboard} loading={t`Loading the mailbox`}>
      {data && data.texts.length > 0 && <Texts texts={data.texts} />}
      {data && data.mails.length > 0 && <List mails={data.mails} />}
      {data && data.mails.length + data.texts.length === 0 && (
        <EmptyState icon={MailIcon} picture={<Poster of="instant" />} title={t`No emails yet`}>
          <Trans>Emails from Alder will appear here.</Trans>
        </EmptyState>
      )}
      {!data && (
        <Card>
          <RowSkeletons count={3} />
        </Card>
      )}
    </QueryScreen>
  )
}

function List({ mails }: { mails: readonly Mail[] }) {
  return (
    <Card>
      <ul className="divide-y divide-line">
        {mails.map((mail) => (
          <ListedMail key={mail.id} mail={mail} />
        ))}
      </ul>
    </Card>
  )
}

function ListedMail({ mail }: { mail: Mail }) {
  const [open, setOpen] = useState(false)
  return (
    <li>
      <details className="group" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="flex min-h-16 list-none items-center gap-3 px-4 py-3 -outline-offset-2 hover:bg-muted/60">
          <span className="min-w-0 flex-1">
            <span className="block font-medium">{mail.subject}</span>
            <span className="block text-sm text-ink-soft">
              <SentLine to={mail.to} at={mail.createdAt} />
            </span>
          </span>
          <ChevronDown
            aria-hidden
            className="size-5 shrink-0 text-ink-soft transition-transform group-open:rotate-180"
            strokeWidth={2}
          />
        </summary>
        {open && <MailLetter mail={mail} />}
      </details>
    </li>
  )
}

/** Shows a message's recipient and time. */
function SentLine({ to, at }: { to: string; at: string }) {
  // The recipient is an element and not a string, because `<` and `>` in a string would be parsed as a tag.
  const recipient = <bdi>{to}</bdi>
  const { t } = useLingui()
  const day = shortDay(at, useBusinessNow())
  const time = timeOfDay(at)
  return (
    <>
      <span className="block truncate">
        <Trans comment="{recipient} is the recipient of a message">To {recipient}</Trans>
      </span>
      <span className="block">{t({ message: `${day}, ${time}`, comment: 'Example: Today, 9:41 AM' })}</span>
    </>
  )
}

/** Lists text messages in full. */
function Texts({ texts }: { texts: readonly TextMessage[] }) {
  return (
    <section aria-labelledby="texts">
      <h2 id="texts" className="mb-2 font-semibold">
        <Trans>Text Messages</Trans>
      </h2>
      <Card>
        <ul className="divide-y divide-line">
          {texts.map(({ id, to, text, createdAt }) => (
            <li key={id} className="px-4 py-3">
              <p className="text-pretty">{text}</p>
              <p className="mt-0.5 text-sm text-ink-soft">
                <SentLine to={to} at={createdAt} />
              </p>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { ChevronDown, Mail as MailIcon } from 'lucide-react'
import { useState } from 'react'
import type { Mail, TextMessage } from '#contract/mail.ts'
import { useBusinessNow } from '#web/accounts/queries.ts'
import { unwrap, api, withSignal } from '#web/lib/api.ts'
import { shortDay, timeOfDay } from '#web/i18n/dates.ts'
import { paths } from '#web/lib/paths.ts'
import { Letter } from '#web/sample/mail-letter.tsx'
import { Poster } from '#web/ui/art/poster.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { QueryScreen } from '#web/ui/query-screen.tsx'
import { Card } from '#web/ui/screen.tsx'
import { RowSkeletons } from '#web/ui/skeleton.tsx'

const mailboxQuery = queryOptions({
  queryKey: ['mailbox'],
  queryFn: ({ signal }) => unwrap(api.sample.mail.$get({}, withSignal(signal))),
  // A person on this screen is waiting for a mail.
  refetchInterval: 2_000,
})

/** Sample mode's mailbox: what the bank would have mailed. */
export function MailScreen() {
  const { t } = useLingui()
  const query = useQuery(mailboxQuery)
  const { data } = query
  return (
    <QueryScreen query={query} title={t`Mailbox`} back={paths.dashboard} loading={t`Loading the mailbox`}>
      {data && data.texts.length > 0 && <Texts texts={data.texts} />}
      {data && data.mails.length > 0 && <List mails={data.mails} />}
      {data && data.mails.length + data.texts.length === 0 && (
        <Notice icon={MailIcon} picture={<Poster of="instant" />} title={t`No emails yet`}>
          <Trans>Emails from Alder will appear here.</Trans>
        </Notice>
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
              <Sent to={mail.to} at={mail.createdAt} />
            </span>
          </span>
          <ChevronDown
            aria-hidden
            className="size-5 shrink-0 text-ink-soft transition-transform group-open:rotate-180"
            strokeWidth={2}
          />
        </summary>
        {open && <Letter mail={mail} />}
      </details>
    </li>
  )
}

/** To whom and when a message was sent. */
function Sent({ to, at }: { to: string; at: string }) {
  // An element, so that an address that looks like a tag is not taken for one.
  const recipient = <bdi>{to}</bdi>
  const { t } = useLingui()
  const day = shortDay(at, useBusinessNow())
  const time = timeOfDay(at)
  return (
    <>
      <span className="block truncate">
        <Trans comment="To whom a message was sent">To {recipient}</Trans>
      </span>
      <span className="block">{t({ message: `${day}, ${time}`, comment: 'Today, 9:41 AM' })}</span>
    </>
  )
}

/** Text messages, which are read at a glance. */
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
                <Sent to={to} at={createdAt} />
              </p>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  )
}

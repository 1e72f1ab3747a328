import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { HandCoins, Link2 } from 'lucide-react'
import { Link } from 'react-router'
import { avatarText } from '#contract/initials.ts'
import type { BlockedRequester, MoneyRequest, RequestList } from '#contract/requests.ts'
import { useBusinessDay } from '#web/accounts/queries.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { OVER_SCREEN } from '#web/lib/address-sheet.ts'
import { messageOf } from '#web/lib/api.ts'
import { outstandingMinor, requestPath, requestsQuery } from '#web/lib/money-requests.ts'
import { toast } from '#web/lib/toast.ts'
import { unblockRequester } from '#web/requests/queries.ts'
import { RequestStatusBadge } from '#web/requests/request-status.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmailText } from '#web/ui/email-text.tsx'
import { Dot } from '#web/ui/inline-facts.tsx'
import { Money } from '#web/ui/money.tsx'
import { Row } from '#web/ui/row.tsx'
import { Rows } from '#web/ui/rows.tsx'
import { Card, Section } from '#web/ui/screen.tsx'

/** Lists received requests, sent requests and blocked requesters. */
export function Groups({ requests: { received, sent, blocked } }: { requests: RequestList }) {
  const { t } = useLingui()
  const fromContacts = received.filter(({ fromStranger }) => !fromStranger)
  const strangers = received.filter(({ fromStranger }) => fromStranger)
  const hasNone = received.length === 0 && sent.length === 0
  return (
    <>
      <Group title={t({ message: 'Received', context: 'requests for money' })} requests={fromContacts} />
      <Group title={t({ message: 'Sent', context: 'requests for money' })} requests={sent} />
      <Group title={t`Requests from People You Don't Know`} requests={strangers} />
      {hasNone && (
        <Section title={t({ message: 'Requests', context: 'money' })}>
          <Card>
            <Row
              icon={HandCoins}
              title={t`No requests yet`}
              description={t`Requests you send and receive will appear here.`}
            />
          </Card>
        </Section>
      )}
      {blocked.length > 0 && <Blocked blocked={blocked} />}
    </>
  )
}

function Group({ title, requests }: { title: string; requests: readonly MoneyRequest[] }) {
  if (requests.length === 0) return null
  return (
    <Section title={title}>
      <Card>
        <Rows of={requests}>{(request) => <RequestRow request={request} />}</Rows>
      </Card>
    </Section>
  )
}

function RequestRow({ request }: { request: MoneyRequest }) {
  const { t } = useLingui()
  const today = useBusinessDay()
  const { id, name, note, status, asset, createdAt } = request
  const isOpen = status === 'open'
  const day = shortDay(createdAt, today)
  const anyoneText = t({ message: 'Link for anyone', comment: 'A request for money that anyone may pay' })
  const title = name === null ? anyoneText : <EmailText email={name} />
  return (
    <Link
      to={requestPath(id)}
      state={OVER_SCREEN}
      preventScrollReset
      className="@container block w-full px-4 text-start transition-colors duration-150 -outline-offset-2 hover:bg-muted/60 active:bg-muted"
    >
      <span className="flex min-h-16 items-center gap-3 py-2.5">
        <span className="@max-[12rem]:hidden">
          <Picture name={name} />
        </span>
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0 flex-1 basis-28">
            <bdi className="line-clamp-2 leading-snug rtl:leading-normal font-medium [overflow-wrap:anywhere] rtl:text-right">
              {title}
            </bdi>
            <span className="mt-0.5 line-clamp-2 text-sm text-ink-soft">
              {day}
              {note && (
                <>
                  <Dot />
                  {note}
                </>
              )}
            </span>
          </span>
          <span className="ms-auto max-w-full text-end">
            <Money
              amountMinor={isOpen ? outstandingMinor(request) : request.amountMinor}
              asset={asset}
              fit
              className={isOpen ? 'block leading-snug font-semibold' : 'block leading-snug text-ink-soft'}
            />
            {isOpen ? <PaidSoFar request={request} /> : <RequestStatusBadge status={status} className="mt-0.5" />}
          </span>
        </span>
      </span>
    </Link>
  )
}

/** Shows the paid part of an open request, or the status if nothing is paid. */
function PaidSoFar({ request: { paidMinor, asset } }: { request: MoneyRequest }) {
  if (paidMinor === 0) return <RequestStatusBadge status="open" className="mt-0.5" />
  const paid = <Money amountMinor={paidMinor} asset={asset} />
  return (
    <span className="mt-0.5 block text-sm text-ink-soft">
      <Trans comment="The paid part of a money request. Example: $15.00 paid">{paid} paid</Trans>
    </span>
  )
}

/** Shows the avatar of the other side, or an icon for a link, which is for no particular person. */
function Picture({ name }: { name: string | null }) {
  if (name !== null) return <Avatar initials={avatarText(name)} name={name} className="!size-11 !text-sm" />
  return (
    <span aria-hidden className="grid size-11 shrink-0 place-items-center rounded-full bg-primary-subtle text-primary">
      <Link2 className="size-5" strokeWidth={1.9} />
    </span>
  )
}

/** Lists blocked requesters, whose requests are hidden, with buttons to unblock them. */
function Blocked({ blocked }: { blocked: readonly BlockedRequester[] }) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const unblock = useMutation({
    mutationFn: ({ id }: BlockedRequester) => unblockRequester(id),
    onSuccess: (_answer, { name }) => toast.success(t`${name} can ask you for money again`),
    onError: (error) => toast.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: requestsQuery.queryKey }),
  })
  return (
    <Section title={t({ message: 'Blocked', comment: 'People whose money requests are hidden' })}>
      <Card>
        <ul className="divide-y divide-line">
          {blocked.map((requester) => {
            const { id, name } = requester
            return (
              <li key={id} className="flex min-h-16 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
                <bdi className="min-w-0 flex-1 basis-28 font-medium [overflow-wrap:anywhere]">
                  <EmailText email={name} />
                </bdi>
                <Button
                  variant="quiet"
                  size="small"
                  busy={unblock.isPending && unblock.variables.id === id}
                  aria-label={t`Unblock ${name}`}
                  onClick={() => unblock.mutate(requester)}
                  className="-me-3"
                >
                  <Trans>Unblock</Trans>
                </Button>
              </li>
            )
          })}
        </ul>
      </Card>
    </Section>
  )
}

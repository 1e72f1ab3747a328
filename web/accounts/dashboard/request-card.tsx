import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { avatarText } from '#contract/initials.ts'
import { leftOf, requestPath, requestsQuery } from '#web/lib/money-requests.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Money } from '#web/ui/money.tsx'
import { Card } from '#web/ui/screen.tsx'

/** The latest request that waits for the customer, and how many more do; nothing where none does. */
export function RequestCard({ hidden }: { hidden: boolean }) {
  const { t } = useLingui()
  const { data } = useQuery(requestsQuery)
  const waiting = data?.received.filter(({ status, fromStranger }) => status === 'open' && !fromStranger) ?? []
  const [request] = waiting
  if (!request) return null
  const { id, note } = request
  const others = waiting.length - 1
  const name = <bdi className="font-semibold">{request.name}</bdi>
  const amount = <Money amountMinor={leftOf(request)} asset={request.asset} className="font-semibold" />
  return (
    <section aria-label={t`Money request`}>
      <Card>
        <Link
          to={requestPath(id)}
          className="@container block px-4 transition-colors duration-150 -outline-offset-2 hover:bg-muted/60 active:bg-muted"
        >
          <span className="flex min-h-16 items-center gap-3 py-3">
            <span className="@max-[12rem]:hidden">
              <Avatar
                initials={avatarText(request.name ?? '')}
                name={request.name ?? ''}
                className="!size-11 !text-sm"
              />
            </span>
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              <span className="block leading-snug rtl:leading-normal">
                {hidden ? (
                  <Trans comment="Somebody by name, without the amount">{name} asks you for money</Trans>
                ) : (
                  <Trans comment="A name and an amount: Sarah Johnson asks you for $18.50">
                    {name} asks you for {amount}
                  </Trans>
                )}
              </span>
              {(note !== null || others > 0) && (
                <span className="mt-0.5 line-clamp-3 text-sm text-ink-soft">
                  {others > 0 ? (
                    <Plural
                      value={others}
                      one="# more request is waiting for you"
                      other="# more requests are waiting for you"
                    />
                  ) : (
                    note
                  )}
                </span>
              )}
            </span>
            <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-soft rtl:-scale-x-100" strokeWidth={2} />
          </span>
        </Link>
      </Card>
    </section>
  )
}

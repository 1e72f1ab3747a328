import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import {
  ArrowDownLeft,
  ArrowUpRight,
  Bell,
  BellRing,
  CreditCard,
  FileText,
  HandCoins,
  type LucideIcon,
  PiggyBank,
  ShieldCheck,
  Sparkles,
  TrendingUp,
} from 'lucide-react'
import { MONEY_TOPICS, NOTICE_TOPICS, type NoticePreferences, type NoticeTopicChoice } from '#contract/notice-topics.ts'
import { paths } from '#web/lib/paths.ts'
import { useNoticePreferences } from '#web/notifications/preferences.ts'
import { PushSection } from '#web/notifications/push-section.tsx'
import { noticePreferencesQuery } from '#web/notifications/queries.ts'
import { QueryScreen } from '#web/ui/query-screen.tsx'
import { Row } from '#web/ui/row.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { Loading } from '#web/ui/skeleton.tsx'
import { SwitchRow } from '#web/ui/switch.tsx'

type TopicLook = { icon: LucideIcon; label: MessageDescriptor; description: MessageDescriptor }

const TOPICS: Record<NoticeTopicChoice, TopicLook> = {
  money_in: { icon: ArrowDownLeft, label: msg`Money In`, description: msg`Payments to you, and money you add` },
  money_out: {
    icon: ArrowUpRight,
    label: msg`Money Out`,
    description: msg`Sent and scheduled payments, budgets and price increases`,
  },
  cards: {
    icon: CreditCard,
    label: msg({ message: 'Card Payments', comment: 'A kind of notifications' }),
    description: msg`Every payment by card`,
  },
  requests: {
    icon: HandCoins,
    label: msg`Requests`,
    description: msg`When someone requests money, or responds to your request`,
  },
  savings: { icon: PiggyBank, label: msg`Savings`, description: msg`When monthly savings are skipped` },
  investing: { icon: TrendingUp, label: msg`Investing`, description: msg`Orders, recurring investments and crypto` },
  statements: { icon: FileText, label: msg`Statements`, description: msg`When a monthly statement is ready` },
  news: {
    icon: Sparkles,
    label: msg({ message: 'News', comment: 'A kind of notifications' }),
    description: msg`New features in Alder`,
  },
}

const isMoney = (topic: NoticeTopicChoice): boolean => (MONEY_TOPICS as readonly string[]).includes(topic)

/** Shows the topics of notices, and whether this browser shows notices while the app is closed. */
export function NoticePreferencesScreen() {
  const { t } = useLingui()
  const query = useQuery(noticePreferencesQuery)
  return (
    <QueryScreen query={query} title={t`Notification Preferences`} back={paths.notifications}>
      <Preferences preferences={query.data} />
    </QueryScreen>
  )
}

function Preferences({ preferences }: { preferences: NoticePreferences | undefined }) {
  const { t } = useLingui()
  const change = useNoticePreferences()
  const isOn = preferences?.notifications
  return (
    <>
      {!preferences && <Loading label={t`Loading your preferences`} />}
      <Card>
        <SwitchRow
          icon={Bell}
          label={t`All Notifications`}
          description={t`Everything below, in the app`}
          checked={isOn}
          onChange={(notifications) => change({ notifications })}
        />
      </Card>
      <PushSection />
      <Section title={t`Money`}>
        <Card className="divide-y divide-line">
          <SwitchRow
            icon={BellRing}
            label={t`Transaction Alerts`}
            description={t`Get notified when money moves`}
            checked={preferences && isOn && preferences.transactionAlerts}
            disabled={isOn === false}
            onChange={(transactionAlerts) => change({ transactionAlerts })}
          />
          {NOTICE_TOPICS.filter(isMoney).map((topic) => (
            <Topic key={topic} topic={topic} preferences={preferences} isAbove={preferences?.transactionAlerts} />
          ))}
        </Card>
      </Section>
      <Section title={t({ message: 'Everything Else', comment: 'A heading above kinds of notifications' })}>
        <Card className="divide-y divide-line">
          {NOTICE_TOPICS.filter((topic) => !isMoney(topic)).map((topic) => (
            <Topic key={topic} topic={topic} preferences={preferences} />
          ))}
          <Row
            icon={ShieldCheck}
            title={t`Security`}
            description={t`Always on: alerts about your identity and the safety of your account`}
          />
        </Card>
      </Section>
    </>
  )
}

type TopicProps = {
  topic: NoticeTopicChoice
  preferences: NoticePreferences | undefined
  /** Whether the switch Transaction Alerts is on, for the topics below it. Other topics have no such switch. */
  isAbove?: boolean | undefined
}

/** Shows the effective state: a topic is off while All Notifications, or Transaction Alerts above the topic, is off. */
function Topic({ topic, preferences, isAbove = true }: TopicProps) {
  const { t } = useLingui()
  const change = useNoticePreferences()
  const { icon, label, description } = TOPICS[topic]
  const isOpen = preferences?.notifications !== false && isAbove
  return (
    <SwitchRow
      icon={icon}
      label={t(label)}
      description={t(description)}
      checked={preferences && isOpen && preferences.topics[topic]}
      disabled={!isOpen}
      onChange={(isOn) => change({ topics: { [topic]: isOn } })}
    />
  )
}

import { Glow, Ground, Leaf, Line, Motion, Pane, Picture, Sparkle } from '#web/onboarding/art/parts.tsx'

const STEMS = [
  { x: 34, height: 50 },
  { x: 66, height: 78 },
  { x: 98, height: 62 },
  { x: 130, height: 98 },
  { x: 162, height: 124 },
] as const

/** Spending that is read like wood: bars that grow, rings that are shares, and what they tell. */
export function Insights() {
  return (
    <Picture>
      <Motion kind="far">
        <Glow x={196} y={130} size={150} />
      </Motion>
      <Ground y={306} />
      <Chart />
      <Motion kind="near">
        <Ground y={340} near />
        <Motion kind="pop" turn={1}>
          <Shares />
        </Motion>
        <Motion kind="pop" turn={3}>
          <Insight />
        </Motion>
        <Leaf x={34} y={344} turn={-20} size={0.84} tone="deep" />
        <Leaf x={40} y={346} turn={24} size={1} />
      </Motion>
    </Picture>
  )
}

function Chart() {
  return (
    <g transform="translate(30 88) rotate(-3)">
      <Pane width={222} height={216} radius={24} />
      <Line x={26} y={30} width={52} className="stroke-line-strong" />
      <Line x={26} y={45} width={32} />
      <path d="M22 188H200" strokeWidth={2} strokeLinecap="round" className="stroke-line" />
      {STEMS.map(({ x, height }, index) => (
        <Motion key={x} kind="grow" turn={index}>
          <rect
            x={x - 10}
            y={188 - height}
            width={20}
            height={height}
            rx={7}
            className={
              index === STEMS.length - 1
                ? 'fill-(--poster-orange)'
                : index % 2
                  ? 'fill-(--poster-primary)'
                  : 'fill-(--poster-primary-mid)'
            }
          />
        </Motion>
      ))}
      <Motion kind="pop" turn={4}>
        <Leaf x={161} y={66} turn={-36} size={0.44} />
        <Leaf x={163} y={66} turn={32} size={0.52} tone="deep" />
      </Motion>
    </g>
  )
}

/** How much of a ring each share takes, out of 100, with room between them. */
const SHARES = [
  { from: 0, share: 35, className: 'stroke-(--poster-primary)' },
  { from: 35, share: 25, className: 'stroke-(--poster-orange)' },
  { from: 60, share: 22, className: 'stroke-blue' },
  { from: 82, share: 18, className: 'stroke-purple' },
] as const

function Shares() {
  return (
    <g transform="translate(250 286)">
      <circle cy={7} r={56} className="fill-(--poster-shade)" />
      <circle r={56} className="fill-(--poster-pane) stroke-line" />
      <g transform="rotate(-90)">
        {SHARES.map(({ from, share, className }) => (
          <circle
            key={from}
            r={38}
            pathLength={100}
            strokeWidth={15}
            strokeDasharray={`${share - 2} 100`}
            strokeDashoffset={-from}
            className={className}
          />
        ))}
      </g>
      <circle r={22} strokeWidth={1.6} className="stroke-line" />
      <circle r={15} strokeWidth={1.6} className="stroke-line" />
      <circle r={7} className="fill-(--poster-orange)" />
    </g>
  )
}

function Insight() {
  return (
    <g transform="translate(152 22)">
      <path
        d="M20 7H130Q150 7 150 27V57Q150 77 130 77H58L38 97V77H20Q0 77 0 57V27Q0 7 20 7Z"
        className="fill-(--poster-shade)"
      />
      <path d="M20 0H130Q150 0 150 20V50Q150 70 130 70H58L38 90V70H20Q0 70 0 50V20Q0 0 20 0Z" className="fill-brand" />
      <Sparkle x={32} y={36} size={1.05} className="fill-[#eda277]" />
      <Sparkle x={47} y={20} size={0.4} className="fill-on-brand" />
      <Line x={64} y={28} width={62} className="stroke-on-brand opacity-85" />
      <Line x={64} y={44} width={40} className="stroke-on-brand opacity-45" />
    </g>
  )
}

import { ValueType } from '@opentelemetry/api'
import { emptyResource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics'
import type { Instrument } from './instruments.js'

type Time = [seconds: number, nanoseconds: number]

function timeOf(ms: number): Time {
  return [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1e6)]
}

async function metricData(instrument: Instrument, startTime: Time, endTime: Time): Promise<MetricData> {
  const { name, help: description, unit } = instrument
  const shared = {
    descriptor: { name, description, unit, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  switch (instrument.kind) {
    case 'histogram': {
      const distributions = await instrument.collect()
      const dataPoints = distributions.map(({ labels, bounds, counts, sum }) => {
        const buckets = { boundaries: [...bounds], counts: [...counts] }
        const count = counts.reduce((total, one) => total + one, 0)
        return { startTime, endTime, attributes: labels, value: { buckets, sum, count } }
      })
      return { ...shared, dataPointType: DataPointType.HISTOGRAM, dataPoints }
    }
    case 'counter':
    case 'gauge': {
      const points = await instrument.collect()
      const dataPoints = points.map(({ labels, value }) => ({
        startTime,
        endTime,
        attributes: labels,
        value,
      }))
      return instrument.kind === 'gauge'
        ? { ...shared, dataPointType: DataPointType.GAUGE, dataPoints }
        : { ...shared, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    }
    default:
      return instrument satisfies never
  }
}

/** Gives these instruments to an exporter of OpenTelemetry, those without any figure left out. */
export function metricProducer(instruments: readonly Instrument[]): MetricProducer {
  const startTime = timeOf(performance.timeOrigin)
  return {
    async collect() {
      const now = timeOf(Date.now())
      const all = await Promise.all(instruments.map((instrument) => metricData(instrument, startTime, now)))
      const metrics = all.filter(({ dataPoints }) => dataPoints.length > 0)
      return {
        resourceMetrics: {
          resource: emptyResource(),
          scopeMetrics: [{ scope: { name: 'snipkeep' }, metrics }],
        },
        errors: [],
      }
    },
  }
}

import { stringify } from 'yaml';
import { ALERTS, RECORDINGS } from './alerts.ts';
import { DASHBOARDS, type Dashboard } from './dashboards.ts';

const RUNBOOKS = 'docs/operations/runbooks.md';

const groups = {
  groups: [
    { name: 'florin-objectives', rules: RECORDINGS.map(({ record, expr }) => ({ record, expr })) },
    {
      name: 'florin-alerts',
      rules: ALERTS.map(({ name, expr, for: duration, severity, summary }) => ({
        alert: `Florin${name}`,
        expr,
        for: duration,
        labels: { severity },
        annotations: { summary, runbook: `${RUNBOOKS}#${name.toLowerCase()}` },
      })),
    },
  ],
};

const NOTICE = '# Generated from scripts/observability by `npm run generate`; do not edit.\n';

/** Of Grafana's grid: two panels in a row. */
const WIDTH = 12;
const HEIGHT = 8;

const toGrafana = ({ uid, title, panels }: Dashboard): object => ({
  uid,
  title,
  tags: ['florin'],
  schemaVersion: 39,
  editable: false,
  time: { from: 'now-3h', to: 'now' },
  refresh: '30s',
  templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }] },
  panels: panels.map((panel, index) => ({
    id: index + 1,
    type: 'timeseries',
    title: panel.title,
    // The data source is the dashboard's variable.
    datasource: { type: 'prometheus', uid: '$datasource' },
    gridPos: { x: (index % 2) * WIDTH, y: Math.floor(index / 2) * HEIGHT, w: WIDTH, h: HEIGHT },
    fieldConfig: { defaults: { unit: panel.unit, ...(panel.signed === true ? {} : { min: 0 }) }, overrides: [] },
    targets: panel.queries.map(([legendFormat, expr], at) => ({ refId: String.fromCharCode(65 + at), expr, legendFormat })),
  })),
});

/** The generated files of deploy/observability, by path. */
export const observabilityFiles = (): Readonly<Record<string, string>> => ({
  'deploy/observability/generated/rules.yaml': NOTICE + stringify(groups, { lineWidth: 0 }),
  // The same for the Prometheus operator.
  'deploy/observability/generated/prometheus-rule.yaml':
    NOTICE +
    stringify(
      { apiVersion: 'monitoring.coreos.com/v1', kind: 'PrometheusRule', metadata: { name: 'florin' }, spec: groups },
      { lineWidth: 0 },
    ),
  'deploy/observability/generated/kustomization.yaml': `${NOTICE}apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [prometheus-rule.yaml]\n`,
  ...Object.fromEntries(
    DASHBOARDS.map((dashboard) => [
      `deploy/observability/generated/dashboards/${dashboard.uid}.json`,
      `${JSON.stringify(toGrafana(dashboard), null, 2)}\n`,
    ]),
  ),
});

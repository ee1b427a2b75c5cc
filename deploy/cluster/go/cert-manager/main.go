// Command cert-manager runs the controllers of cert-manager that issue certificates from an authority in a Secret: what the
// platform's manifests ask for. Its own command is a module that cannot be fetched, and has the issuers of other authorities too.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/cert-manager/cert-manager/pkg/controller"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/approver"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/ca"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/selfsigned"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/issuing"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/keymanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/readiness"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/requestmanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/revisionmanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/trigger"
	_ "github.com/cert-manager/cert-manager/pkg/controller/issuers"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/ca"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/selfsigned"
)

const workers = 5

func run(kubeconfig, namespace string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	factory, err := controller.NewContextFactory(ctx, controller.ContextOptions{
		Kubeconfig: kubeconfig,
		Namespace:  namespace,
		CertificateOptions: controller.CertificateOptions{
			CertificateRequestMinimumBackoffDuration: time.Hour,
		},
	})
	if err != nil {
		return err
	}
	shared, err := factory.Build()
	if err != nil {
		return err
	}
	controllers := make(map[string]controller.Interface)
	for name, create := range controller.Known() {
		if controllers[name], err = create(factory); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	shared.SharedInformerFactory.Start(ctx.Done())
	shared.KubeSharedInformerFactory.Start(ctx.Done())
	var running sync.WaitGroup
	failures := make(chan error, len(controllers))
	for name, one := range controllers {
		running.Go(func() {
			if err := one.Run(workers, ctx); err != nil {
				failures <- fmt.Errorf("%s: %w", name, err)
				stop()
			}
		})
	}
	running.Wait()
	close(failures)
	return <-failures
}

func main() {
	kubeconfig := flag.String("kubeconfig", "", "path of the kubeconfig")
	namespace := flag.String("namespace", "", "the namespace whose certificates are issued")
	flag.Parse()
	if err := run(*kubeconfig, *namespace); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
